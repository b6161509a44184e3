import type { GatewayEvent } from '@virgule/client/gateway';
import { settlesWithin, systemClock, turn, type Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { EventName, EventPayloads } from '@virgule/core/protocol';
import type { Bot, CommandRecord, Duration } from '@virgule/runtime';
import { commandNamed, durationMs, formatDuration, formatRawInput } from '@virgule/runtime/project';
import type { Simulator, UserFile } from '@virgule/simulator';
import type { ActivityRecord, ActivityRecords, LoggedLine } from './activity-records.js';
import type { TestResult, TestRun, TestSaid } from './test-bot.js';
import { testingErrors } from './testing-errors.js';
import type { Transcript } from './transcript.js';
import { withHint } from './with-hint.js';
import type { Work } from './work.js';

export interface ActionsOptions {
  readonly bot: Bot;
  readonly platform: Simulator;
  readonly records: ActivityRecords;
  readonly work: Work;
  /** Outcomes of commands, by interaction id. */
  readonly ended: Map<string, CommandRecord>;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly sleepsForMs: () => number | undefined;
  readonly closing: AbortSignal;
  /** Resolves when the process is killed. */
  readonly killed: Promise<unknown>;
  /** Fires the timers that are due now. */
  readonly playDue: () => Promise<void>;
  readonly dispatch: (event: GatewayEvent) => void;
  readonly limit: Duration | 'none';
  /** Returns whether an action fails when the bot logs a warning because of it. */
  readonly isStrict: () => boolean;
}

/** Channel and user of an action. */
export interface Place {
  readonly channel?: string | undefined;
  readonly as?: string | undefined;
}

export type Actions = ReturnType<typeof createActions>;

/** Creates the actions of users on one process of a bot. */
export function createActions(options: ActionsOptions) {
  const { bot, platform, records, work, ended, transcript, clock, closing, killed } = options;
  const limitMs = (options.limit === 'none' ? undefined : durationMs(options.limit)) ?? Infinity;

  /**
   * Waits with the limit on the clock of this machine: only the test advances the clock of the bot. A killed process ends
   * the wait.
   */
  async function inTime(what: string, channelId: string, over: Promise<unknown>): Promise<void> {
    const done = Promise.race([over, killed]);
    if (limitMs === Infinity) return void (await done);
    if (await settlesWithin(done, limitMs, systemClock)) return;
    throw limitError(what, channelId);
  }

  function limitError(what: string, channelId: string) {
    const sleepsMs = options.sleepsForMs();
    return testingErrors.E_TEST_LIMIT({
      what,
      limit: formatDuration(limitMs),
      sleeps: sleepsMs === undefined ? undefined : formatDuration(Math.ceil(sleepsMs)),
      transcript: transcript.of(channelId),
    });
  }

  /** Waits on the clock of this machine until `working` names no handler or task. */
  async function untilNone(working: () => string | undefined): Promise<void> {
    const startMs = systemClock.monotonic();
    for (let what = working(); what !== undefined && !closing.aborted; what = working()) {
      if (systemClock.monotonic() - startMs >= limitMs) throw limitError(what, channelIdOf());
      await systemClock.sleep(1);
    }
  }

  async function tasksSettled(): Promise<void> {
    if (work.workingTask() === undefined) return;
    await untilNone(() => {
      const name = work.workingTask();
      return name && `A run of the task ${name}`;
    });
    // The scheduler sets the next run of the task in this turn.
    await turn();
  }

  async function idle(): Promise<void> {
    const isIdle = (): boolean => work.isIdle(bot);
    for (;;) {
      await options.playDue();
      if (isIdle() || closing.aborted) return;
      await untilNone(() => (isIdle() ? undefined : 'A handler'));
    }
  }

  function resultOf(
    what: string,
    channelId: string,
    record: ActivityRecord | undefined,
  ): TestResult {
    const logged = record?.logged ?? [];
    const note = logged.some(({ error }) => calledNoPort(error)) ? NO_PORT_NOTE : '';
    const text = transcript.of(channelId) + note;
    if (options.isStrict()) refuseLogged(what, logged, text);
    const ids = record?.messages ?? new Map<string, readonly string[]>();
    const messages = [...ids.keys()].flatMap((id) => platform.message(id) ?? []);
    return {
      replies: messages.filter(({ isDeleted }) => !isDeleted).map(({ content }) => content),
      files: messages.flatMap(({ attachments }) =>
        attachments.map(({ fileName, size }) => ({ name: fileName, size })),
      ),
      error: logged.find(({ error }) => error !== undefined)?.error,
      calls: record?.calls ?? [],
      transcript: text,
    };
  }

  /**
   * Waits for the handlers of an event that is expected now. Resolves to `undefined` if the event does not arrive, as
   * for an event that the bot cannot see.
   */
  async function handled(
    what: string,
    channelId: string,
    [found, giveUp]: ReturnType<ActivityRecords['next']>,
  ): Promise<ActivityRecord | undefined> {
    const record = await Promise.race([found, turn()]);
    giveUp();
    if (record) await inTime(what, channelId, record.ended);
    return record ?? undefined;
  }

  /** Returns the result of an event that was caused a moment ago. */
  const handle = async (
    what: string,
    channelId: string,
    matches: (event: GatewayEvent) => boolean,
  ): Promise<TestResult> =>
    resultOf(what, channelId, await handled(what, channelId, records.next(matches)));

  const channelIdOf = (channel?: string): string => platform.channel(channel).id;

  async function run(
    place: Place,
    nameOrLine: string,
    values?: Readonly<Record<string, unknown>>,
  ): Promise<TestRun> {
    const line = values === undefined ? nameOrLine : lineOf(nameOrLine, values);
    const { id, channelId } = platform.run({ rawInput: line, ...place });
    const [found] = records.next(({ d }) => isRecord(d) && d['interactionId'] === id);
    const expired = new Promise<void>((resolve) => {
      const stop = platform.on((event) => {
        if (event.type !== 'interaction' || event.interaction.id !== id) return;
        if (event.interaction.state === 'expired') resolve();
        if (event.interaction.expiresAt === null) stop();
      });
    });
    // A handler that missed its window may never end; every other handler is awaited.
    const done = Promise.race([expired.then(turn), found.then((record) => record.ended)]);
    await inTime(line, channelId, done);
    const record = records.of(`/interactions/${id}/`);
    const {
      state = 'expired',
      responseMessageId,
      wasDeferred = false,
    } = platform.interaction(id) ?? {};
    const hasEnded = state === 'expired' || record?.hasEnded === true;
    const { result, error } = ended.get(id) ?? {
      result: hasEnded ? 'expired' : 'stopped',
      error: undefined,
    };
    ended.delete(id);
    const base = resultOf(line, channelId, record);
    const answer = responseMessageId ? platform.message(responseMessageId) : undefined;
    const own = [...(record?.messages.keys() ?? [])].flatMap(
      (each) => platform.message(each) ?? [],
    );
    return {
      content: answer?.isDeleted === false ? answer.content : undefined,
      edits: record?.messages.get(responseMessageId ?? '')?.slice(1) ?? [],
      followUps: own
        .filter((each) => each.interactionId === id && each.id !== responseMessageId)
        .map(({ content }) => content),
      deferred: wasDeferred,
      state,
      result,
      timings: {
        answeredMs: record?.wroteAtMs,
        deferredMs: record?.calls.find(({ endpoint }) => endpoint === 'interactions.defer')?.atMs,
        endedMs: clock.monotonic() - (record?.startMs ?? clock.monotonic()),
      },
      ...base,
      error,
    };
  }

  async function send(
    place: Place,
    content: string,
    attachments: readonly UserFile[],
  ): Promise<TestSaid> {
    await turn();
    const message = platform.sendMessage({ content, attachments, ...place });
    const isIt = ({ t, d }: GatewayEvent): boolean =>
      t === 'MESSAGE_CREATE' && isRecord(d) && d['id'] === message.id;
    return { message, ...(await handle(`"${content}"`, message.channelId, isIt)) };
  }

  function lineOf(name: string, values: Readonly<Record<string, unknown>>): string {
    const command = commandNamed(bot.project.commands, name.replace(/^\//, ''));
    // The platform reports a command that does not exist.
    if (!command) return `/${name.replace(/^\//, '')}`;
    const known = command.spec.options.map(({ key }) => key);
    const key = Object.keys(values).find((each) => !known.includes(each));
    if (key !== undefined)
      throw testingErrors.E_TEST_CALL({ kind: 'option', command: command.name, key, known });
    return formatRawInput(command, values);
  }

  /**
   * Returns the message that a user would react to: a message that asks, preferably one with this emoji, else the
   * newest one.
   */
  function reactedTo({ channel }: Place, emoji: string): string | undefined {
    const { botUserId } = platform.snapshot().bot;
    const asking = work.asking(channelIdOf(channel));
    const isOffered = (id: string): boolean =>
      platform
        .message(id)
        ?.reactions.some(
          (each) => each.emoji.unicodeEmoji === emoji && each.userIds.includes(botUserId),
        ) === true;
    const newest = platform.messages(channel).findLast(({ isDeleted }) => !isDeleted);
    return asking.findLast(isOffered) ?? asking.at(-1) ?? newest?.id;
  }

  async function react(
    place: Place,
    emoji: string,
    to?: string | { readonly id: string },
  ): Promise<TestResult> {
    await turn();
    const messageId = typeof to === 'string' ? to : (to?.id ?? reactedTo(place, emoji) ?? '');
    const { channelId } = platform.react({ messageId, emoji, as: place.as });
    const isIt = ({ t, d }: GatewayEvent): boolean =>
      t === 'MESSAGE_REACTION_ADD' && isRecord(d) && d['messageId'] === messageId;
    return handle(`The reaction ${emoji}`, channelId, isIt);
  }

  return {
    run,
    send,
    react,
    idle,
    /** Resolves when no run of a task is working. */
    tasksSettled,
    async emit<Name extends EventName>(
      event: Name,
      data: EventPayloads[Name],
    ): Promise<TestResult> {
      const channelId = data.channelId ?? channelIdOf();
      const receivedAtMs = clock.monotonic();
      const record = records.deliver({ t: event, d: data, receivedAtMs }, options.dispatch);
      await inTime(event, channelId, record.ended);
      return resultOf(event, channelId, record);
    },
    async handled<Result>(
      event: EventName,
      cause: () => Result | Promise<Result>,
    ): Promise<Result> {
      const expected = records.next(({ t }) => t === event);
      const result = await cause();
      await handled(event, channelIdOf(), expected);
      return result;
    },
  };
}

const NO_PORT_NOTE =
  '\n  (It called the platform, which listens on no port: pass network: true to createTestBot.)';

/** Returns whether an error results from a request to the address of a platform in memory, whose port is 0. */
function calledNoPort(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const [code, address, port] = ['code', 'address', 'port'].map((key) => Reflect.get(each, key));
    if (code === 'ECONNREFUSED' && address === '127.0.0.1' && port === undefined) return true;
  }
  return false;
}

export function refuseLogged(
  what: string,
  logged: readonly LoggedLine[],
  transcript: string,
): void {
  if (logged.length === 0) return;
  const lines = logged.map(({ message }) => message);
  const cause = logged.find(({ error }) => error !== undefined)?.error;
  throw withHint(testingErrors.E_TEST_STRICT({ what, lines, transcript }, { cause }));
}
