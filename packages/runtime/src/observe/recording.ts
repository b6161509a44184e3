import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { ENDPOINTS } from '@virgule/core/protocol';
import type { BotEnvironment, RecordedWork } from '../command/environment.js';
import { isStop } from '../errors/error-guards.js';
import { createStorage } from '../storage/storage.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import { observedRest } from './observed-rest.js';
import type { Frame, RecordedCall } from './record.js';

/** Maximum size of a record, and of one value in it, in characters of JSON. */
export const MAX_LENGTH = 256 * 1024;
export const MAX_VALUE_LENGTH = 8 * 1024;
/** Characters of JSON around a value in a record. */
const AROUND = 40;
const MAX_RANDOM = 1_000;
/** Maximum number of events of a channel in a record. */
const MAX_FRAMES = 16;
const READS: ReadonlySet<string> = new Set(
  Object.values(ENDPOINTS).flatMap(({ method, name }) => (method === 'GET' ? name : [])),
);

/** Values that an open run has read so far. Most runs read few, so their parts are created by the first value. */
export class Recording {
  readonly work: RecordedWork;
  readonly own: Frame;
  readonly frames: Frame[];
  /** Calls in JSON. */
  readonly calls: string[] = [];
  readonly random: number[] = [];
  /** Values by key; empty without an entry, `undefined` if the value is too large. */
  storage: Map<string, string | undefined> | undefined;
  /** Frames that no other frame replaces. */
  #kept: Frame[] | undefined;
  /** Number of calls by the name of their function. */
  #counts: Record<string, number> | undefined;
  #room = MAX_LENGTH / 2;

  /** @param frames - events from before the run, then its own one. */
  constructor(work: RecordedWork, own: Frame, frames: Frame[]) {
    this.work = work;
    this.own = own;
    this.frames = frames;
  }

  get isFull(): boolean {
    return this.frames.length >= MAX_FRAMES;
  }

  has(data: unknown): boolean {
    return this.frames.some(({ d }) => isDeepStrictEqual(d, data));
  }

  /** Keeps an event that a wait took. The last of the other events of a busy channel makes room. */
  consumed(t: string, d: unknown, atMs: number): void {
    const { frames } = this;
    const kept = (this.#kept ??= frames.slice(0, frames.indexOf(this.own) + 1));
    if (kept.length === MAX_FRAMES) return;
    const known = frames.find((each) => isDeepStrictEqual(each.d, d));
    const frame = known ?? { t, d, atMs };
    const isOther = (each: Frame): boolean => !kept.includes(each);
    if (!known && this.isFull) frames.splice(frames.findLastIndex(isOther), 1);
    if (!known) frames.push(frame);
    kept.push(frame);
  }

  drew(number: number): number {
    if (this.random.length < MAX_RANDOM) this.random.push(number);
    return number;
  }

  read(key: string, json = ''): void {
    const storage = (this.storage ??= new Map());
    if (this.#room > 0 && !storage.has(key))
      storage.set(key, this.#takes(key + json, key) ? json : undefined);
  }

  /** Makes a call, and records the value of a read, or the error. */
  call(name: string, call: () => unknown): unknown {
    const counts = (this.#counts ??= {});
    const index = counts[name] ?? 0;
    counts[name] = index + 1;
    const result = call();
    if (!(result instanceof Promise)) return result;
    const isRead = READS.has(name);
    return result.then(
      (value: unknown) => {
        if (isRead) this.#called({ name, index, value });
        return value;
      },
      (error: unknown) => {
        if (isVirguleError(error)) {
          const { code, message, details } = error;
          this.#called({ name, index, error: { code, message, details } });
        }
        throw error;
      },
    );
  }

  #called(call: RecordedCall): void {
    // Details of an error may be anything. A handler may change the value later.
    const json = orUndefined(() => JSON.stringify(call)) ?? 'x'.repeat(MAX_LENGTH);
    const { name, index } = call;
    if (this.#room > 0)
      this.calls.push(
        this.#takes(json, name) ? json : JSON.stringify({ name, index, dropped: true }),
      );
  }

  /** Counts a value, or the name in its place. Returns whether the value fits into the record. */
  #takes(json: string, name: string): boolean {
    const isFitting = json.length <= Math.min(MAX_VALUE_LENGTH, this.#room);
    this.#room -= (isFitting ? json : name).length + AROUND;
    return isFitting;
  }
}

/** Open runs of a channel. */
export class RecordedChannel {
  readonly runs = new Set<Recording>();
  /** Runs with room for another event. */
  readonly #taking = new Set<Recording>();
  #newest: Recording | undefined;

  received(frame: Frame, isQueued: boolean): void {
    for (const run of this.#taking) {
      if (!isQueued || !run.has(frame.d)) run.frames.push(frame);
      if (run.isFull) this.#taking.delete(run);
    }
  }

  open(work: RecordedWork, clock: Clock): Recording {
    const { t, d, skipped = [], receivedAtMs } = work;
    const atMs = clock.now() - (clock.monotonic() - receivedAtMs);
    // Handlers of the same event share its frame.
    const last = this.#newest?.own;
    const own = last && last.d === d ? last : { t, d, atMs };
    const frames: Frame[] = [];
    for (const other of this.runs) {
      if (frames.length === MAX_FRAMES / 2) break;
      if (other.own !== own && other.own !== frames.at(-1)) frames.push(other.own);
    }
    // With the times of the event that replaced them, they are in its burst again.
    for (const data of skipped.slice(1 - MAX_FRAMES / 2))
      if (!frames.some((each) => each.d === data)) frames.push({ ...own, d: data });
    frames.push(own);
    this.#newest = new Recording(work, own, frames);
    this.runs.add(this.#newest);
    this.#taking.add(this.#newest);
    return this.#newest;
  }

  /** Ends a recording. Returns whether it was the last one. */
  close(run: Recording): boolean {
    this.#taking.delete(run);
    return this.runs.delete(run) && this.runs.size === 0;
  }
}

/** Returns a function that creates the environment of a run, which records what the run reads. */
export function recordedEnvironment(
  base: BotEnvironment,
  connection: StorageConnection,
  fail: (run: Recording, error: unknown) => void,
): (run: Recording) => BotEnvironment {
  /** All other members are those of the bot. */
  class Recorded implements Pick<
    BotEnvironment,
    'random' | 'rest' | 'storage' | 'consumed' | 'onError'
  > {
    readonly #run: Recording;
    #rest: BotEnvironment['rest'] | undefined;
    #storage: BotEnvironment['storage'] | undefined;

    constructor(run: Recording) {
      this.#run = run;
    }

    get random(): BotEnvironment['random'] {
      return () => this.#run.drew(base.random());
    }

    get rest(): BotEnvironment['rest'] {
      return (this.#rest ??= observedRest(base.rest, (name, call) => this.#run.call(name, call)));
    }

    get storage(): BotEnvironment['storage'] {
      return (this.#storage ??= createStorage(
        connection.noting((key, json) => this.#run.read(key, json)),
      ));
    }

    get consumed(): NonNullable<BotEnvironment['consumed']> {
      return (event, data) => this.#run.consumed(event, data, base.clock.now());
    }

    get onError(): BotEnvironment['onError'] {
      return (error, during) => {
        base.onError(error, during);
        if (!isStop(error, base.stopping.aborted ? base.stopping : undefined))
          fail(this.#run, error);
      };
    }
  }
  Object.setPrototypeOf(Recorded.prototype, base);
  return (run) => new Recorded(run) as unknown as BotEnvironment;
}
