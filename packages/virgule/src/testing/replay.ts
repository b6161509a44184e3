import { readFileSync } from 'node:fs';
import { createFakeClock, isFakeClock, systemRandom, type Clock } from '@virgule/core/clock';
import { VirguleError } from '@virgule/core/errors';
import { isRecord, orUndefined, recordIn } from '@virgule/core/objects';
import type { Rest } from '@virgule/client/rest';
import type { StorageDriver } from '@virgule/runtime';
import { observedRest, type FailedRecord, type Frame } from '@virgule/runtime/project';
import type { TestBot } from './test-bot.js';
import { testingErrors } from './testing-errors.js';

/** Users of the test who take the place of the recorded users, in order. */
const USERS = ['ada', 'grace', 'linus', 'margaret'];
/** Maximum time of a replay on the clock of the test, in milliseconds, and its steps. */
const MAX_MS = 60 * 60_000;
const STEP_MS = 1_000;

/** Result of a replay. */
export interface TestReplay {
  /** Error of the handler; `undefined` if it did not throw. */
  readonly error: unknown;
  /** Outcome of a command, as in `TestRun`; of an event or a task `ok` or `failed`. */
  readonly result: string;
}

/** @throws VirguleError `E_TEST_CALL` for a file that is no record. */
function read(file: URL | string): FailedRecord {
  const record = recordIn(orUndefined(() => readFileSync(file, 'utf8')) ?? '');
  const { v, frames, frame, storage, rest, random } = Object(record);
  const isComplete = [frames, storage, rest, random].every((part) => Array.isArray(part));
  // The version states the form of the rest.
  if (v === 1 && isComplete && isRecord(frames[frame])) return record as unknown as FailedRecord;
  throw testingErrors.E_TEST_CALL({ kind: 'replay', reason: `${String(file)} is no record` });
}

/** Returns the id of the user of an event, in one of its assumed forms. */
function actorOf(d: unknown): unknown {
  const { authorId, userId, user }: Readonly<Record<string, unknown>> = Object(d);
  return authorId ?? userId ?? Object(user).id;
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

export type Replay = ReturnType<typeof openReplay>;

/** Reads a record, whose values replace those of the test: time, random numbers, storage and results of the platform. */
export function openReplay(file: URL | string) {
  const record = read(file);
  const { frames, storage, rest: calls, random, me } = record;
  const unread = [...storage];
  const answers = [...calls];
  const numbers = [...random];
  /** Ids of the record by ids of the test, and reverse. */
  const ids = new Map<string, string>();
  const users = new Map<unknown, string>();

  const swapped = (text: string, pairs: Iterable<readonly [string, string]>): string => {
    let changed = text;
    for (const [from, to] of pairs) changed = changed.replaceAll(from, to);
    return changed;
  };
  const here = (value: unknown): string =>
    swapped(
      JSON.stringify(value),
      [...ids].map(([own, known]) => [known, own]),
    );

  /** Writes the recorded entries that a call is about to read for the first time. */
  async function seed(driver: StorageDriver, path: string, isPrefix = false): Promise<void> {
    const known = swapped(path, ids);
    const isMeant = ({ key }: { readonly key: string }): boolean =>
      isPrefix ? key.startsWith(known) : key === known;
    // Keys of one shape are read in their order.
    for (
      let at = unread.findIndex(isMeant);
      at >= 0;
      at = isPrefix ? unread.findIndex(isMeant) : -1
    ) {
      for (const { key, value } of unread.splice(at, 1))
        await driver.set(path + key.slice(known.length), here(value), null);
    }
  }

  /** Has an event happen again. */
  function play(bot: TestBot, frame: Frame) {
    const { t, d } = frame;
    const { rawInput, content, attachments = [], emoji } = Object(d);
    const name = users.get(actorOf(d));
    const actor = name === undefined ? bot : bot.as(name);
    const text = (value: unknown): string => JSON.parse(here(String(value)));
    if (t === 'APPLICATION_COMMAND') return actor.run(text(rawInput));
    const isOwn = frame === frames[record.frame];
    // A user presses a reaction of the message that asks, whose id differs.
    if (t === 'MESSAGE_REACTION_ADD' && !isOwn && emoji?.unicodeEmoji)
      return actor.react(String(emoji.unicodeEmoji));
    if (t !== 'MESSAGE_CREATE' || attachments.length > 0)
      return bot.emit(t as never, JSON.parse(here(d)) as never);
    const isCommand = isOwn && record.kind === 'command';
    return isCommand ? actor.run(text(content)) : actor.say(text(content));
  }

  return {
    clock: createFakeClock({ nowMs: frames[0]?.atMs }),
    /** Returns the recorded numbers, then other ones. */
    random: () => numbers.shift() ?? systemRandom(),
    /** Returns a driver whose entries are those of the record. */
    storage: (driver: StorageDriver): StorageDriver => ({
      ...driver,
      async get(key) {
        await seed(driver, key);
        return driver.get(key);
      },
      async list(request) {
        await seed(driver, request.prefix, true);
        return driver.list(request);
      },
    }),
    /** Returns a client that returns the recorded results, in order, and calls the platform then. */
    rest: (rest: Rest): Rest =>
      observedRest(rest, (name, call) => {
        const index = answers.findIndex((each) => each.name === name);
        const [answer] = index < 0 ? [] : answers.splice(index, 1);
        if (!answer) return call();
        const { error, value } = answer;
        if (!error) return Promise.resolve(JSON.parse(here(value)));
        return Promise.reject(new VirguleError({ ...error, kind: 'user' }));
      }),
    /** Plays the events of the record at their times. Resolves when the failed run has ended. */
    async run(bot: TestBot, clock: Clock): Promise<TestReplay> {
      if (!isFakeClock(clock)) throw testingErrors.E_TEST_CALL({ kind: 'clock' });
      const channel = bot.platform.channel();
      const { channels, bot: self } = bot.platform.snapshot();
      const { serverId = '' } = channels.find(({ id }) => id === channel.id) ?? {};
      for (const { d } of frames) {
        const place: Readonly<Record<string, unknown>> = Object(d);
        if (isId(place['channelId'])) ids.set(channel.id, place['channelId']);
        if (isId(place['serverId'])) ids.set(serverId, place['serverId']);
        const author = actorOf(d);
        const name = USERS[users.size];
        if (!isId(author) || author === me || users.has(author) || !name) continue;
        users.set(author, name);
        ids.set(bot.platform.user(name).id, author);
      }
      if (me) ids.set(self.botUserId, me);
      let failed: Promise<TestReplay> | undefined;
      for (const [index, frame] of frames.entries()) {
        await clock.advance(Math.min(Math.max(0, frame.atMs - clock.now()), MAX_MS));
        const playing: Promise<Partial<TestReplay>> = play(bot, frame);
        const ended = playing.then(({ error, result = error === undefined ? 'ok' : 'failed' }) => ({
          error,
          result,
        }));
        ended.catch(() => {});
        if (index === record.frame) failed = ended;
      }
      let isOver = false;
      const ended = Promise.resolve(failed).finally(() => (isOver = true));
      ended.catch(() => {});
      for (let ms = 0; !isOver && ms < MAX_MS; ms += STEP_MS) await clock.advance(STEP_MS);
      return (await ended) ?? { error: undefined, result: 'ok' };
    },
  };
}
