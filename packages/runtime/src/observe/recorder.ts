import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { settlesWithin, turn } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { isRecord, orUndefined, stringsIn } from '@virgule/core/objects';
import type { BotEnvironment, RecordedWork, RunRecorder } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { isStop } from '../errors/error-guards.js';
import { isSameId } from '../options/references.js';
import { createStorage } from '../storage/storage.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { Duration } from '../text/duration.js';
import { derive } from './derive.js';
import { observedRest } from './observed-rest.js';
import { IDS } from './shape.js';
import { privateRecord, type RecordedCall } from './record.js';
import { MAX_LENGTH, MAX_VALUE_LENGTH, Recording } from './recording.js';

/** Time for which the end of the bot waits for the storage of records, in milliseconds. */
const STORING_MS = 1_000;
/** Maximum length of the name of an error, which may be anything. */
const MAX_NAME = 200;
/** Key of the numbers of records, and beginning of the keys of records. */
const NUMBERS_KEY = 'virgule:failed';
export const RECORD_PREFIX = `${NUMBERS_KEY}:`;
/** Setting `failed` of a bot: commands and events that fail are recorded in the storage, for `virgule failed`. */
export interface FailedSetting {
  /** Number of records: a new record replaces the oldest one. 1 to 1,000. @defaultValue 50 */
  readonly keep?: number | undefined;
  /** Time until a record is deleted. @defaultValue `'7d'` */
  readonly for?: Duration | undefined;
  /**
   * `'shape'` replaces the letters and digits of all strings, except words of the command and its code, and numbers all ids.
   * `'keep'` keeps strings and ids, without secrets.
   *
   * @defaultValue `'shape'`
   */
  readonly text?: 'shape' | 'keep' | undefined;
}

/** Returns the setting with its defaults. */
const resolveSetting = ({ keep = 50, for: ttl = '7d', text = 'shape' }: FailedSetting) => ({
  keep,
  ttl,
  text,
});

/** Returns the key of a record. Keys are sorted by the numbers of their records. */
const keyOf = (number: number): string => RECORD_PREFIX + String(number).padStart(9, '0');

/** Number of the newest record, then numbers of the records that were not deleted, the oldest first. */
type Numbers = readonly number[];

/** Deletes a record, which leaves room for another one. */
export async function dropRecord(connection: StorageConnection, key: string): Promise<boolean> {
  const drop = ([last = 0, ...all]: Numbers = []) => [last, ...all.filter((n) => keyOf(n) !== key)];
  await createStorage(connection).update<Numbers>(NUMBERS_KEY, drop);
  return connection.delete(key);
}

/** Open runs of a channel: all of them, and runs with room for another event. */
type OpenRuns = Readonly<Record<'all' | 'taking', Set<Recording>>>;

/** Records values that runs read, and stores the records of runs that fail. */
export class Recorder implements RunRecorder {
  readonly #setting: ReturnType<typeof resolveSetting>;
  readonly #connection: StorageConnection;
  /** Open runs by channel. */
  readonly #open = new Map<unknown, OpenRuns>();
  /** Functions that return the records to store, if possible: the newest ones, as the storage would keep only these. */
  readonly #queue: (() => object | void)[] = [];
  readonly #starting: Promise<unknown>;
  #storing: Promise<void> | undefined;
  /** Returns the environment of a run. */
  #environment: ReturnType<typeof derive<BotEnvironment, Recording>> | undefined;

  constructor(setting: FailedSetting, connection: StorageConnection, log: Log) {
    this.#setting = resolveSetting(setting);
    this.#connection = connection;
    // The setting may keep fewer records than before.
    this.#starting = this.#keep(0).catch((reason: unknown) =>
      log.warn({ err: readableError(reason) }, 'failures cannot be recorded'),
    );
  }

  received(event: BotEvent, { me }: BotEnvironment): void {
    const { authorId, userId, channelId } = Object(event.d);
    // The bot of a test writes its own messages and reactions.
    if (isSameId(authorId ?? userId, me.id)) return;
    const taking = this.#open.get(channelId)?.taking;
    for (const run of taking ?? []) if (!run.received(event)) taking?.delete(run);
  }

  open(base: BotEnvironment, work: RecordedWork): BotEnvironment {
    const { channelId } = Object(work.d);
    const runs = this.#open.get(channelId) ?? { all: new Set(), taking: new Set() };
    const run = new Recording(work, runs.all);
    this.#open.set(channelId, runs);
    runs.all.add(run);
    runs.taking.add(run);
    this.#environment ??= this.#environmentOf(base);
    return this.#environment(run);
  }

  #end(run: Recording): void {
    const { channelId } = Object(run.work.d);
    const { all, taking } = this.#open.get(channelId) ?? {};
    taking?.delete(run);
    if (all?.delete(run) && all.size === 0) this.#open.delete(channelId);
  }

  crashed(error: unknown, name: string, env: BotEnvironment): void {
    const open = [...this.#open.values()].flatMap(({ all }) => [...all]);
    const run = open.findLast(({ work }) => work.name === name);
    if (run) this.#fail(env, run, error);
  }

  /** Returns a function that creates the environment of a run, which records what the run reads. */
  #environmentOf(base: BotEnvironment) {
    const createRest = observedRest(base.rest);
    return derive<BotEnvironment, Recording>(base, {
      random: (run) => () => run.drew(base.random()),
      rest: (run) => createRest((name, call, given) => run.call(name, call, given)),
      storage: (run) => createStorage(this.#connection.noting((key, json) => run.read(key, json))),
      consumed: (run) => (t, d) => run.consumed({ t, d, receivedAtMs: base.clock.monotonic() }),
      endRecord: (run) => () => this.#end(run),
      onError: (run) => (error, during) => {
        base.onError(error, during);
        if (!isStop(error, base.stopping.aborted ? base.stopping : undefined))
          this.#fail(base, run, error);
      },
    });
  }

  #fail(env: BotEnvironment, run: Recording, error: unknown): void {
    const { name } = run.work;
    const isFirst = !this.#storing;
    const warn = (reason: unknown): void =>
      env.log.warn({ err: readableError(reason) }, `could not record the failure of ${name}`);
    const recording = this.#record(() => this.#recordOf(env, run, error), warn).catch(warn);
    const recorded = settlesWithin(recording, STORING_MS, env.clock).then((isRecorded) => {
      if (isFirst && !isRecorded)
        env.log.warn({}, `the failure of ${name} is not recorded yet: the storage is slow`);
    });
    env.activity.track(recorded);
  }

  /** Queues the record of a run. Resolves when all records of the queue are stored. */
  async #record(recordOf: () => () => object, warn: (reason: unknown) => void): Promise<void> {
    // A thrown value may refuse to be read, and a handler too.
    const shaped = recordOf();
    this.#queue.push(() => {
      try {
        return shaped();
      } catch (reason) {
        return warn(reason);
      }
    });
    if (this.#queue.length > this.#setting.keep) this.#queue.shift();
    await (this.#storing ??= this.#store().finally(() => (this.#storing = undefined)));
  }

  /** Returns a function that returns the record of a run, as the run is now. Removing words takes longer than all other work. */
  #recordOf(env: BotEnvironment, run: Recording, error: unknown): () => object {
    const { work, random } = run;
    const rest = run.calls.map((json): RecordedCall => JSON.parse(json));
    const { kind, name, handler } = work;
    const maxOf = (event: unknown): number => (event === work ? MAX_LENGTH / 4 : MAX_VALUE_LENGTH);
    // A handler may have given its event a cycle.
    const events = run.frames.filter((each) =>
      orUndefined(() => JSON.stringify(each.d).length <= maxOf(each)),
    );
    const frame = events.indexOf(work);
    if (frame < 0) throw new RangeError('the event is too large, or no JSON');
    const nowMs = env.clock.now();
    const startMs = nowMs - env.clock.monotonic();
    const frames = events.map(({ t, d, receivedAtMs }) => ({ t, d, atMs: startMs + receivedAtMs }));
    const type = String(isVirguleError(error) ? error.code : Object(error).name).slice(0, MAX_NAME);
    const json = JSON.stringify(frames).toLowerCase();
    const variables = Object.entries(env.envValues).flatMap(([variable, value]) => {
      const ids = stringsIn(value).join(' ').toLowerCase().match(IDS) ?? [];
      if (!ids.some((id) => json.includes(id))) return [];
      return [[variable, value instanceof Set ? [...value] : value] as const];
    });
    const record = {
      rest,
      random,
      v: 1 as const,
      kind,
      name,
      at: new Date(nowMs).toISOString(),
      text: this.#setting.text,
      reason: `${type}: ${env.redact(errorText(error)).slice(0, MAX_VALUE_LENGTH)}`,
      me: env.me.id,
      env: Object.fromEntries(variables),
      frame,
      frames,
      storage: [...(run.storage ?? [])].flatMap(([key, value]) => {
        if (value === undefined) return { key, dropped: true };
        return value === '' ? [] : { key, value: JSON.parse(value) as unknown };
      }),
    };
    // The handlers may change their values later.
    const text = JSON.stringify(record);
    // Names of classes of JavaScript, and members of errors of the client, are not private.
    const known = [
      handler,
      (isVirguleError(error) || type in globalThis) && type,
      // Names of variables, and of their members, are those of the code.
      variables.map(([variable, value]) => [variable, isRecord(value) && Object.keys(value)]),
      rest.map((call) => call.error && [call.error.code, Object.keys(call.error.details)]),
    ];
    return () => privateRecord(JSON.parse(text) as typeof record, known, env.redact);
  }

  /** Stores the records of the queue, one at a time. */
  async #store(): Promise<void> {
    await this.#starting;
    const store = createStorage(this.#connection);
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      // Removing the words of fifty large records takes seconds, in which no other command would run.
      await turn();
      const record = next();
      if (!record) continue;
      const number = await this.#keep(1);
      const stored = { ...record, id: String(number) };
      await store.set(keyOf(number), stored as never, { ttl: this.#setting.ttl });
    }
  }

  /** Adds the number of a record, or none, and deletes the oldest records beyond the limit. Resolves to the newest number. */
  async #keep(added: 0 | 1): Promise<number> {
    const add = ([last = 0, ...all]: Numbers = []): Numbers =>
      added ? [last + 1, ...all, last + 1] : [last, ...all];
    const storage = createStorage(this.#connection);
    const [newest = 0, ...kept] = await storage.update<Numbers>(NUMBERS_KEY, add);
    for (const number of kept.slice(0, -this.#setting.keep))
      await dropRecord(this.#connection, keyOf(number));
    return newest;
  }
}
