import { isVirguleError } from '@virgule/core/errors';
import { settlesWithin, systemClock, turn, type Clock } from '@virgule/core/clock';
import type { EventName, EventPayloads } from '@virgule/core/protocol';
import type { Bot } from '@virgule/runtime';
import type { WatchedPromise } from '@virgule/runtime/bot';
import { formatDuration } from '@virgule/runtime/project';
import type { RunCommandInput, Simulator, UserFile } from '@virgule/simulator';
import type { ActivityRecord, ActivityRecords } from './activity-records.js';
import { createRuns } from './create-runs.js';
import { noteOn, refuseLogged } from './logged-lines.js';
import { reactedTo } from './reacted-to.js';
import type { TestResult, TestSaid } from './test-bot.js';
import type { createTestClock } from './test-clock.js';
import { testingErrors } from './testing-errors.js';
import type { Transcript } from './transcript.js';
import type { Work } from './work.js';

export interface ActionsOptions {
  /** Folder of the bot. */
  readonly root: string;
  readonly bot: Bot;
  readonly platform: Simulator;
  readonly records: ActivityRecords;
  readonly work: Work;
  /** Prefix of commands in messages. */
  readonly prefix: string;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly times: Pick<ReturnType<typeof createTestClock>, 'sleepsForMs' | 'playDue'>;
  readonly closing: AbortSignal;
  /** Resolves when the process is killed. */
  readonly killed: Promise<unknown>;
  readonly limitMs: number;
  /** Returns whether an action fails when the bot logs a warning because of it. */
  readonly isStrict: () => boolean;
}

/** Channel and user of an action. */
export type Place = Pick<RunCommandInput, 'channel' | 'as'>;

export type Actions = ReturnType<typeof createActions>;

/** Creates the actions of users on one process of a bot. */
export function createActions(options: ActionsOptions) {
  const { bot, platform, records, work, transcript, closing, killed, limitMs } = options;

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
    const sleepsMs = options.times.sleepsForMs();
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
      await options.times.playDue();
      if (isIdle() || closing.aborted) return;
      await untilNone(() => (isIdle() ? undefined : 'A handler'));
    }
  }

  function resultOf(what: string, channelId: string, record?: ActivityRecord): TestResult {
    const logged = record?.logged ?? [];
    const text = transcript.of(channelId) + noteOn(logged);
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
      called: record?.called ?? [],
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

  const channelIdOf = (channel?: string): string => platform.channel(channel).id;

  /** Writes a message, and waits for the handlers of its event. */
  async function post(place: Place, content: string, attachments: readonly UserFile[] = []) {
    await turn();
    const message = platform.sendMessage({ content, attachments, ...place });
    const expected = records.next('MESSAGE_CREATE', message.id);
    return { message, record: await handled(`"${content}"`, message.channelId, expected) };
  }

  async function send(...given: Parameters<typeof post>): Promise<TestSaid> {
    const { message, record } = await post(...given);
    return { message, ...resultOf(`"${given[1]}"`, message.channelId, record) };
  }

  async function react(
    { channel, as }: Place,
    emoji: string,
    to?: string | { readonly id: string },
  ): Promise<TestResult> {
    await turn();
    const asking = work.asking(channelIdOf(channel));
    const target = to ?? reactedTo(platform, channel, emoji, asking);
    const messageId = typeof target === 'string' ? target : target.id;
    const { channelId } = platform.react({ messageId, emoji, as });
    const expected = records.next('MESSAGE_REACTION_ADD', messageId);
    const what = `The reaction ${emoji}`;
    return resultOf(what, channelId, await handled(what, channelId, expected));
  }

  const failures: Parameters<Parameters<typeof WatchedPromise.watch>[1]>[] = [];

  return {
    /** Keeps the error of an action until the end, unless the test awaits the action. */
    failed: (...failure: (typeof failures)[number]) => void failures.push(failure),
    /** @throws the first error of an action that the test has not awaited. */
    refuseUnawaited() {
      for (const [error, { isAwaited }] of failures)
        // A test that does not reach its `await` has failed.
        if (!isAwaited && !isVirguleError(error, 'E_TEST_LIMIT')) throw error;
    },
    run: createRuns({ ...options, inTime, post, resultOf }),
    send,
    react,
    idle,
    /** Resolves when no run of a task is working. */
    tasksSettled,
    async emit<Name extends EventName>(event: Name, data: EventPayloads[Name]) {
      const channelId = data.channelId ?? channelIdOf();
      const receivedAtMs = options.clock.monotonic();
      const record = records.deliver({ t: event, d: data, receivedAtMs });
      await inTime(event, channelId, record.ended);
      return resultOf(event, channelId, record);
    },
  };
}
