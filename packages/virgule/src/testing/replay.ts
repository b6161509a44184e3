import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import {
  createFakeClock,
  isFakeClock,
  settlesWithin,
  systemClock,
  systemRandom,
  type Clock,
} from '@virgule/core/clock';
import { VirguleError } from '@virgule/core/errors';
import type { Rest } from '@virgule/client/rest';
import type { BotObserver, StorageDriver } from '@virgule/runtime';
import type { Simulator } from '@virgule/simulator';
import {
  IDS,
  isShapeOf,
  observedRest,
  readRecord,
  type FailedRecord,
  type Frame,
  type TaskQueue,
} from '@virgule/runtime/bot';
import type { TestBot, TestRun } from './test-bot.js';
import { testingErrors } from './testing-errors.js';

/** Maximum time of a replay on the clock of the test, in milliseconds, and its steps. */
const MAX_MS = 60 * 60_000;
const STEP_MS = 1_000;
/** Maximum time for which that clock waits for handlers that work, in milliseconds on the clock of this machine. */
const WORK_MS = 2_000;

/** Result of a replay. */
export interface TestReplay {
  /** Error of the handler; without an error, the answer of a command that did not run, such as for invalid input. */
  readonly error: unknown;
  /** Outcome of a command, as in `TestRun`; of an event or a task `ok` or `failed`. */
  readonly result: string;
}

/** Returns the id of the user of an event, in one of its assumed forms. */
const actorOf = ({ authorId, userId, user }: Readonly<Record<string, unknown>>): unknown =>
  authorId ?? userId ?? Object(user).id;

export type Replay = ReturnType<typeof openReplay>;

/** Returns the record in a file. @throws VirguleError `E_TEST_CALL` if the file is no record, or cannot be read. */
export function openRecord(file: URL | string, read = () => readFileSync(file, 'utf8')) {
  const { data, reason, cause } = readRecord(read);
  if (reason === undefined) return data;
  throw testingErrors.E_TEST_CALL({ kind: 'record', file: String(file), reason }, { cause });
}

/**
 * Opens a record, whose values replace those of the test: time, random numbers, storage and results of the platform.
 *
 * @throws VirguleError `E_TEST_CALL` for a file that is no record.
 */
export function openReplay(file: URL | string) {
  const record = openRecord(file);
  const { name: task, frame: own, frames, me } = record;
  /** Values that the bot has not read yet, with the ids of the test. Empty until the replay: services read nothing of the record. */
  let left: FailedRecord = { ...record, storage: [], rest: [], random: [] };
  /** `true` for the failed run, `false` for handlers of other events. */
  const playing = new AsyncLocalStorage<boolean>();
  const isOwn = (): boolean => playing.getStore() ?? true;
  /** Keys that runs have read or written; `true` if the failed run has written the entry. */
  const keys = new Map<string, boolean>();
  /** Number of calls of the failed run by name. */
  const calls = new Map<string, number>();
  let taskEnded = (_outcome: Partial<TestReplay>): void => {};
  /** Outcome of the failed run, if the run is a command. */
  let ofCommand: Partial<TestReplay> = {};

  const fits = (recorded: string, text: string): boolean =>
    record.text === 'keep' ? recorded === text : isShapeOf(recorded, text);

  /**
   * Resolves to the driver for a read, with the recorded entries that are about to be read for the first time, under the keys of the
   * call. The failed run reads its recorded values, unless it has written an entry itself; another run may read them too, but keeps
   * its own changes.
   */
  async function reading(driver: StorageDriver, start: string, isKey = false) {
    const { length } = start;
    const read = left.storage.filter(({ key }) => fits(isKey ? key : key.slice(0, length), start));
    // Keys of one shape are read in their order.
    const found = isKey ? [read.find(({ key }) => key === start) ?? read[0]] : read;
    if (isOwn())
      left = { ...left, storage: left.storage.filter((entry) => !found.includes(entry)) };
    const listed = new Set<string>();
    for (const entry of found) {
      if (entry?.value === undefined) continue;
      let key = start + entry.key.slice(length);
      while (listed.has(key)) key += '_';
      listed.add(key);
      if (isOwn() ? keys.get(key) : keys.has(key)) continue;
      keys.set(key, false);
      await driver.set(key, JSON.stringify(entry.value), null);
    }
    return driver;
  }

  /** Returns the driver for a write. */
  function writing(driver: StorageDriver, key: string): StorageDriver {
    keys.set(key, isOwn() || keys.get(key) === true);
    return driver;
  }

  let entered = record;
  /** Replaces the ids of the record by those of the platform of a test. Resolves to the variables with such ids. */
  async function enter(platform: Simulator, env: FailedRecord['env']) {
    const { channels, bot } = platform.snapshot();
    const channel = channels.find(({ id }) => id === platform.channel().id);
    const ids = new Map<unknown, string | undefined>([[me, bot.botUserId]]);
    for (const { t, d } of frames) {
      const place: Readonly<Record<string, unknown>> = { ...Object(d).payload, ...Object(d) };
      ids.set(place['channelId'], channel?.id).set(place['serverId'], channel?.serverId);
      const message = t === 'MESSAGE_CREATE' ? place['id'] : place['messageId'];
      // A handler may reply to the message, or edit the question of a task.
      if (message && !ids.has(message))
        ids.set(message, platform.sendMessage({ content: '?', as: bot.botUserId }).id);
      const author = actorOf(place);
      if (!author || ids.has(author)) continue;
      const username = `user${ids.size}`;
      ids.set(author, Object(await platform.act('user', { username })).id);
    }
    // Another string may contain an id that is no UUID.
    const json = JSON.stringify(record).replaceAll(IDS, (id) => ids.get(id) ?? id);
    entered = JSON.parse(json, (_, value: unknown) => (value && ids.get(value)) || value);
    const recorded = Object.entries(entered.env).map(([name, value]) => [
      name,
      env[name] instanceof Set && Array.isArray(value) ? new Set(value) : value,
    ]);
    return { ...env, ...Object.fromEntries(recorded) };
  }

  /** Has an event happen again, or a task run. */
  async function play(
    bot: TestBot,
    tasks: TaskQueue,
    { t, d }: Frame,
  ): Promise<Partial<TestReplay & Pick<TestRun, 'content'>>> {
    const { rawInput, emoji, channelId, messageId } = Object(d);
    if (t === 'task') {
      const ended = new Promise<Partial<TestReplay>>((resolve) => (taskEnded = resolve));
      await tasks.again({ task, place: messageId && { channelId, messageId } }, Object(d));
      return ended;
    }
    const user = bot.platform.snapshot().users.find(({ id }) => id === actorOf(Object(d)));
    const actor = user ? bot.as(user.id) : bot;
    if (t === 'APPLICATION_COMMAND') return actor.run(String(rawInput));
    // A user presses a reaction of the message that asks, whose id differs.
    if (t === 'MESSAGE_REACTION_ADD' && !isOwn() && emoji?.unicodeEmoji)
      return actor.react(String(emoji.unicodeEmoji));
    const { error, replies } = await bot.emit(t as never, d as never);
    return { error, content: replies.at(-1), ...(isOwn() && ofCommand) };
  }

  return {
    enter,
    clock: createFakeClock({ nowMs: frames[0]?.atMs }),
    /** Returns the recorded numbers, then other ones. */
    random: () => left.random.shift() ?? systemRandom(),
    /** Returns a driver whose entries are those of the record. */
    storage: (driver: StorageDriver): StorageDriver => ({
      ...driver,
      get: async (key) => (await reading(driver, key, true)).get(key),
      list: async (request) => (await reading(driver, request.prefix)).list(request),
      set: (key, ...more) => writing(driver, key).set(key, ...more),
      swap: (key, ...more) => writing(driver, key).swap(key, ...more),
      delete: (key) => writing(driver, key).delete(key),
    }),
    /** Returns a client that returns the recorded results to the same calls of the failed run, and calls the platform otherwise. */
    rest: (rest: Rest): Rest =>
      observedRest(rest)((name, call) => {
        if (!isOwn()) return call();
        const index = calls.get(name) ?? 0;
        calls.set(name, index + 1);
        const answer = left.rest.find((each) => each.name === name && each.index === index);
        if (!answer || (answer.dropped && answer.value === undefined)) return call();
        const { error, value } = answer;
        if (!error) return Promise.resolve(value);
        return Promise.reject(new VirguleError({ ...error, kind: 'user' }));
      }),
    observer: {
      ended({ kind, name, error, result = '' }) {
        if (kind === 'task' && name === task) taskEnded({ error });
        if (kind === 'command' && playing.getStore()) ofCommand = { error, result };
      },
    } satisfies BotObserver,
    /** Plays the events of the record at their times. Resolves when the failed run has ended. */
    async run(bot: TestBot, tasks: TaskQueue, clock: Clock): Promise<TestReplay> {
      if (!isFakeClock(clock)) throw testingErrors.E_TEST_CALL({ kind: 'clock' });
      // A later replay needs the random numbers again.
      left = { ...entered, random: [...entered.random] };
      for (const each of [keys, calls]) each.clear();
      ofCommand = {};
      const untilMs = systemClock.monotonic() + WORK_MS;
      async function settled(): Promise<void> {
        const leftMs = untilMs - systemClock.monotonic();
        if (leftMs > 0) await settlesWithin(bot.idle(), leftMs, systemClock);
      }
      let isOver = false;
      let failed: ReturnType<typeof play> = Promise.resolve({});
      for (const [index, frame] of left.frames.entries()) {
        await clock.advance(Math.min(Math.max(0, frame.atMs - clock.now()), MAX_MS), { settled });
        const ended = playing
          .run(index === own, () => play(bot, tasks, frame))
          .finally(() => (isOver ||= index === own));
        ended.catch(() => {});
        if (index === own) failed = ended;
      }
      for (let ms = 0; !isOver && ms < MAX_MS; ms += STEP_MS)
        await clock.advance(STEP_MS, { settled });
      const { error, content, result = error === undefined ? 'ok' : 'failed' } = await failed;
      return { error: error ?? (result === 'ok' ? undefined : content), result };
    },
  };
}
