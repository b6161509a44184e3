import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { settlesWithin } from '@virgule/core/clock';
import { isPlainObject, orUndefined } from '@virgule/core/objects';
import { ENDPOINTS } from '@virgule/core/protocol';
import type { Rest } from '@virgule/client/rest';
import type { BotEnvironment, RecordedWork, RunRecorder } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { createStorage } from '../storage/storage.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { Duration } from '../text/duration.js';
import { createShaper } from './shape.js';

/** Maximum size of a record, and of one value in it, in characters of JSON. */
const MAX_LENGTH = 256 * 1024;
const MAX_VALUE_LENGTH = 8 * 1024;
/** Characters of JSON around a value in a record. */
const AROUND = 40;
/** Time for which the end of the bot waits for the storage of records, in milliseconds. */
const STORING_MS = 1_000;
/** Beginning of the keys of records. */
export const RECORD_PREFIX = 'virgule:failed:';
const MAX_RANDOM = 1_000;
/** Maximum number of events of a channel in a record. */
const MAX_FRAMES = 16;
const READS: ReadonlySet<string> = new Set(
  Object.values(ENDPOINTS).flatMap(({ method, name }) => (method === 'GET' ? name : [])),
);
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

/** An event of a record, with its time in milliseconds since 1970. */
export interface Frame {
  readonly t: string;
  readonly d: unknown;
  readonly atMs: number;
}

/** Result of a call of the REST client: the value of a read, or an error. */
interface RecordedCall {
  /** Name of the function, such as `messages.list`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details: object };
}

/** All that is recorded of a failed run. */
export interface FailedRecord {
  readonly v: 1;
  readonly id: string;
  readonly kind: RecordedWork['kind'];
  readonly name: string;
  /** Time of the failure, in ISO 8601. */
  readonly at: string;
  readonly reason: string;
  readonly text: 'shape' | 'keep';
  /** User id of the bot. */
  readonly me: string;
  /** Events of the channel while the run was open, in order. */
  readonly frames: readonly Frame[];
  /** Index of the event of the run. */
  readonly frame: number;
  /** Entries that the run read from the storage, as they were first read. */
  readonly storage: readonly { readonly key: string; readonly value: unknown }[];
  readonly rest: readonly RecordedCall[];
  /** Random numbers that the run used. */
  readonly random: readonly number[];
}

/** Values that an open run has read so far. */
interface Recording extends Pick<FailedRecord, 'rest' | 'random'> {
  readonly channelId: unknown;
  readonly own: Frame;
  readonly frames: Frame[];
  /** Values by key; empty without an entry. */
  readonly storage: Map<string, string>;
}

/** Records values that runs read, and stores the records of runs that fail. */
export class Recorder implements RunRecorder {
  readonly #setting: FailedSetting;
  readonly #connection: StorageConnection;
  readonly #open = new Set<Recording>();
  /** Records to store: the newest ones, as the storage would keep only these. */
  readonly #queue: object[] = [];
  #storing: Promise<void> | undefined;

  constructor(setting: FailedSetting, connection: StorageConnection) {
    this.#setting = setting;
    this.#connection = connection;
  }

  received({ t, d }: Pick<BotEvent, 't' | 'd'>, { me, clock }: BotEnvironment): void {
    const { channelId, authorId, userId } = Object(d);
    // The bot of a test writes its own messages and reactions.
    if ((authorId ?? userId) === me.id) return;
    const atMs = clock.now();
    for (const run of this.#open)
      if (run.channelId === channelId && run.frames.length < MAX_FRAMES)
        run.frames.push({ t, d, atMs });
  }

  open(base: BotEnvironment, work: RecordedWork) {
    const { t, d, receivedAtMs } = work;
    const { channelId } = Object(d);
    const own = { t, d, atMs: base.clock.now() - (base.clock.monotonic() - receivedAtMs) };
    const others = [...this.#open].flatMap((each) =>
      each.channelId === channelId ? each.own : [],
    );
    const frames = [...others.slice(0, MAX_FRAMES / 2), own];
    const random: number[] = [];
    const rest: RecordedCall[] = [];
    const storage: Recording['storage'] = new Map();
    const run = { channelId, own, frames, storage, rest, random };
    this.#open.add(run);
    let room = MAX_LENGTH / 2;
    /** Returns whether a value fits into the record, and counts it then. */
    function takes(json: string): boolean {
      const isFitting = json.length <= Math.min(MAX_VALUE_LENGTH, room);
      if (isFitting) room -= json.length + AROUND;
      return isFitting;
    }
    const read = (key: string, json = ''): void => {
      if (!storage.has(key) && takes(key + json)) storage.set(key, json);
    };
    const called = (call: RecordedCall): void => {
      // Details of an error may be anything.
      const json = orUndefined(() => JSON.stringify(call));
      if (json && takes(json)) rest.push(call);
    };
    const env: BotEnvironment = Object.assign(Object.create(base) as BotEnvironment, {
      random: () => {
        const number = base.random();
        if (random.length < MAX_RANDOM) random.push(number);
        return number;
      },
      rest: observedRest(base.rest, (name, call) => {
        const result = call();
        if (result instanceof Promise)
          void result.then(
            (value) => READS.has(name) && called({ name, value }),
            (error: unknown) => {
              const { code, message, details } = Object(error);
              called({ name, error: { code, message, details } });
            },
          );
        return result;
      }),
      storage: createStorage(this.#connection.noting(read)),
      onError: (error: unknown, during: string) => {
        base.onError(error, during);
        try {
          this.#fail(base, work, run, error);
        } catch (reason) {
          // A thrown value may refuse to be read.
          this.#warn(base, work, reason);
        }
      },
    });
    return { env, close: () => void this.#open.delete(run) };
  }

  #fail(env: BotEnvironment, work: RecordedWork, run: Recording, error: unknown): void {
    const { text = 'shape', keep = 50 } = this.#setting;
    const { kind, name } = work;
    const shaped = createShaper(text === 'shape' ? work.source() : undefined, env.redact);
    const sizeOf = ({ d }: Frame): number => JSON.stringify(d).length;
    if (sizeOf(run.own) > MAX_LENGTH / 4) throw new RangeError('the event is too large');
    const frames = run.frames.filter(
      (each) => each === run.own || sizeOf(each) <= MAX_VALUE_LENGTH,
    );
    const { name: type } = Object(error);
    // Names of classes of JavaScript are not private.
    const shown = isVirguleError(error) ? error.code : type in globalThis ? type : shaped(type);
    this.#queue.push({
      v: 1,
      kind,
      name,
      at: new Date(env.clock.now()).toISOString(),
      text,
      reason: [shown, shaped(errorText(error).slice(0, MAX_VALUE_LENGTH))].join(': '),
      me: shaped(env.me.id),
      frame: frames.indexOf(run.own),
      frames: frames.map(({ t, d, atMs }) => ({ t, d: shaped(d, true), atMs })),
      storage: [...run.storage].flatMap(([key, value]) =>
        value === '' ? [] : { key: shaped(key), value: shaped(JSON.parse(value)) },
      ),
      rest: run.rest.map((call) => ({ ...Object(shaped(call, true)), name: call.name })),
      random: run.random,
    });
    if (this.#queue.length > keep) this.#queue.shift();
    this.#storing ??= this.#store()
      .catch((reason: unknown) => this.#warn(env, work, reason))
      .finally(() => (this.#storing = undefined));
    env.activity.track(settlesWithin(this.#storing, STORING_MS, env.clock));
  }

  /** Stores the records of the queue, one at a time. */
  async #store(): Promise<void> {
    const { keep = 50, for: ttl = '7d' } = this.#setting;
    const store = createStorage(this.#connection);
    for (let record = this.#queue.shift(); record; record = this.#queue.shift()) {
      const number = await store.update<number>('virgule:failed', (last = 0) => last + 1);
      // A record of the same place, and so of the oldest failure, is replaced.
      const stored = { ...record, id: String(number) };
      await store.set(RECORD_PREFIX + String(number % keep), stored as never, { ttl });
    }
  }

  #warn({ log }: BotEnvironment, { name }: RecordedWork, reason: unknown): void {
    this.#queue.length = 0;
    log.warn({ err: readableError(reason) }, `could not record the failure of ${name}`);
  }
}

/** Returns a REST client whose calls are made by a function, which also gets the arguments. */
export function observedRest(
  rest: Rest,
  observe: (name: string, call: () => unknown, given: readonly unknown[]) => unknown,
): Rest {
  const wrap = (of: object, key: PropertyKey, group?: string): unknown => {
    const member: unknown = Reflect.get(of, key);
    const name = group ? `${group}.${String(key)}` : String(key);
    if (typeof member === 'function' && (group || key === 'request'))
      return (...given: readonly unknown[]) =>
        observe(name, () => Reflect.apply(member, of, given), given);
    return isPlainObject(member)
      ? new Proxy(member, { get: (target, method) => wrap(target, method, name) })
      : member;
  };
  return new Proxy(rest, { get: (target, key) => wrap(target, key) });
}
