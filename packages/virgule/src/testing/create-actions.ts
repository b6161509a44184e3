import type { GatewayEvent } from '@virgule/client/gateway';
import { settlesWithin, systemClock, turn, type Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { EventName } from '@virgule/core/protocol';
import type { Bot, CommandRecord, Duration } from '@virgule/runtime';
import { commandNamed, durationMs, formatDuration, formatRawInput } from '@virgule/runtime/project';
import type { Simulator, UserFile } from '@virgule/simulator';
import type { ActivityRecord, ActivityRecords, LoggedLine } from './activity-records.js';
import type { TestActor, TestBot, TestResult, TestRun, TestSaid } from './test-bot.js';
import { testingErrors } from './testing-errors.js';
import type { Transcript } from './transcript.js';
import { withHints } from './with-hint.js';

export interface ActionsOptions {
  readonly bot: Bot;
  readonly platform: Simulator;
  readonly records: ActivityRecords;
  /** How commands ended, by interaction. */
  readonly ended: Map<string, CommandRecord>;
  readonly transcript: Transcript;
  /** The clock of the bot. */
  readonly clock: Clock;
  readonly sleepsForMs: () => number | undefined;
  readonly dispatch: (event: GatewayEvent) => void;
  readonly limit: Duration | 'none';
  readonly strict: boolean;
}

/** Where, and by whom, something is done. */
interface Place {
  readonly channel?: string | undefined;
  readonly as?: string | undefined;
}

type Actions = TestActor & Pick<TestBot, 'emit' | 'handled'>;

/** Creates what users do in a test. */
export function createActions(options: ActionsOptions): Actions {
  const { bot, platform, records, ended, transcript, clock } = options;
  const limitMs = options.limit === 'none' ? undefined : (durationMs(options.limit) ?? undefined);

  /** Waits on the clock of this machine: only the test advances that of the bot. */
  async function inTime(what: string, channelId: string, done: Promise<unknown>): Promise<void> {
    if (limitMs === undefined) return void (await done);
    if (await settlesWithin(done, limitMs, systemClock)) return;
    const sleepsMs = options.sleepsForMs();
    throw testingErrors.E_TEST_LIMIT({
      what,
      limit: formatDuration(limitMs),
      sleeps: sleepsMs === undefined ? undefined : formatDuration(Math.ceil(sleepsMs)),
      transcript: transcript.of(channelId),
    });
  }

  function resultOf(
    what: string,
    channelId: string,
    record: ActivityRecord | undefined,
  ): TestResult {
    const logged = record?.logged ?? [];
    const note = logged.some(({ error }) => calledNoPort(error)) ? NO_PORT_NOTE : '';
    const text = transcript.of(channelId) + note;
    if (options.strict) refuseLogged(what, logged, text);
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

  /** Waits for the handlers of an event that was caused right now; it may not come, as a bot does not see everything. */
  async function handle(
    what: string,
    channelId: string,
    matches: (event: GatewayEvent) => boolean,
  ): Promise<TestResult> {
    const [found, giveUp] = records.next(matches);
    const record = await Promise.race([found, turn()]);
    giveUp();
    if (record) await inTime(what, channelId, record.ended);
    return resultOf(what, channelId, record ?? undefined);
  }

  const channelIdOf = (channel?: string): string => platform.channel(channel).id;

  async function run(place: Place, line: string): Promise<TestRun> {
    const { id, channelId } = platform.run({ rawInput: line, ...place });
    const [found] = records.next(({ d }) => isRecord(d) && d['interactionId'] === id);
    const expired = new Promise<void>((resolve) => {
      const stop = platform.on((event) => {
        if (event.type !== 'interaction' || event.interaction.id !== id) return;
        if (event.interaction.state === 'expired') resolve();
        if (event.interaction.expiresAt === null) stop();
      });
    });
    // A handler that missed its window may never end; every other one is waited for.
    const done = Promise.race([expired.then(turn), found.then((record) => record.ended)]);
    await inTime(line, channelId, done);
    const record = records.of(`/interactions/${id}/`);
    const {
      state = 'expired',
      responseMessageId,
      wasDeferred = false,
    } = platform.interaction(id) ?? {};
    const { result, error } = ended.get(id) ?? { result: 'expired', error: undefined };
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
    // The platform has the words for a command that does not exist.
    if (!command) return `/${name.replace(/^\//, '')}`;
    const known = command.spec.options.map(({ key }) => key);
    const key = Object.keys(values).find((each) => !known.includes(each));
    if (key !== undefined) throw testingErrors.E_TEST_OPTION({ command: command.name, key, known });
    return formatRawInput(command, values);
  }

  async function react(
    place: Place,
    emoji: string,
    to?: string | { readonly id: string },
  ): Promise<TestResult> {
    await turn();
    const newest = platform.messages(place.channel).findLast(({ isDeleted }) => !isDeleted);
    const messageId = typeof to === 'string' ? to : (to?.id ?? newest?.id ?? '');
    const { channelId } = platform.react({ messageId, emoji, as: place.as });
    const isIt = ({ t, d }: GatewayEvent): boolean =>
      t === 'MESSAGE_REACTION_ADD' && isRecord(d) && d['messageId'] === messageId;
    return handle(`The reaction ${emoji}`, channelId, isIt);
  }

  const actor = (place: Place): TestActor => ({
    as: (user) => actor({ ...place, as: user }),
    in: (channel) => actor({ ...place, channel }),
    run: (line: string, values?: Readonly<Record<string, unknown>>) =>
      withHints(() => run(place, values === undefined ? line : lineOf(line, values))),
    say: (content) => withHints(() => send(place, content, [])),
    attach: (file, content = '') =>
      withHints(() => send(place, content, isList(file) ? file : [file])),
    react: (emoji, to) => withHints(() => react(place, emoji, to)),
  });

  return {
    ...actor({}),
    emit: (event, data) =>
      withHints(async () => {
        const { channelId } = data;
        const receivedAtMs = clock.monotonic();
        const record = records.deliver({ t: event, d: data, receivedAtMs }, options.dispatch);
        const place = channelId ?? channelIdOf();
        await inTime(event, place, record.ended);
        return resultOf(event, place, record);
      }),
    handled: (event: EventName, cause) =>
      withHints(async () => {
        const [found, giveUp] = records.next(({ t }) => t === event);
        const result = await cause();
        const record = await Promise.race([found, turn()]);
        giveUp();
        if (record) await inTime(event, channelIdOf(), record.ended);
        return result;
      }),
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

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** Rejects what a strict bot has logged. */
export function refuseLogged(
  what: string,
  logged: readonly LoggedLine[],
  transcript: string,
): void {
  if (logged.length === 0) return;
  const lines = logged.map(({ message }) => message);
  const cause = logged.find(({ error }) => error !== undefined)?.error;
  throw testingErrors.E_TEST_STRICT({ what, lines, transcript }, { cause });
}
