import { isDeepStrictEqual } from 'node:util';
import { isVirguleError } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { ENDPOINTS } from '@virgule/core/protocol';
import type { RecordedWork } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import type { RecordedCall } from './record.js';

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

/** Event that a run may depend on. */
type ReceivedEvent = Pick<BotEvent, 't' | 'd' | 'receivedAtMs'>;

/** Events and values that an open run depends on so far. */
export class Recording {
  readonly work: RecordedWork;
  /** Events from before the run, its own one, and later ones. */
  readonly frames: ReceivedEvent[] = [];
  /** Calls in JSON. */
  readonly calls: string[] = [];
  readonly random: number[] = [];
  /** Values by key; empty without an entry, `undefined` if the value is too large. */
  storage: Map<string, string | undefined> | undefined;
  /** Frames that no other frame replaces. */
  #kept: ReceivedEvent[] | undefined;
  /** Number of calls by the name of their function. */
  readonly #counts: Record<string, number> = {};
  #room = MAX_LENGTH / 2;

  /** @param others - open runs of the channel, the oldest first. */
  constructor(work: RecordedWork, others: Iterable<Recording>) {
    this.work = work;
    const { t, d, skipped = [], receivedAtMs } = work;
    const { frames } = this;
    for (const { work: other } of others) {
      if (frames.length === MAX_FRAMES / 2) break;
      // Several handlers may run for an event.
      if (other.d !== d && other.d !== frames.at(-1)?.d) frames.push(other);
    }
    // With the times of the event that replaced them, they are in its burst again.
    for (const data of skipped.slice(1 - MAX_FRAMES / 2))
      if (!frames.some((each) => each.d === data)) frames.push({ t, d: data, receivedAtMs });
    frames.push(work);
  }

  /** Returns whether there was room for the event. */
  received(event: BotEvent): boolean {
    if (this.#isFull) return false;
    // A queue delivers an event to handlers and to waits.
    if (!event.queued || !this.#find(event)) this.frames.push(event);
    return true;
  }

  /** Keeps an event that a wait took. The last of the other events of a busy channel makes room. */
  consumed(event: ReceivedEvent): void {
    const { frames } = this;
    const kept = (this.#kept ??= frames.slice(0, frames.indexOf(this.work) + 1));
    if (kept.length === MAX_FRAMES) return;
    const known = this.#find(event);
    const isOther = (each: ReceivedEvent): boolean => !kept.includes(each);
    if (!known && this.#isFull) frames.splice(frames.findLastIndex(isOther), 1);
    if (!known) frames.push(event);
    kept.push(known ?? event);
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
  call(name: string, call: () => unknown, [method]: readonly unknown[]): unknown {
    const index = this.#counts[name] ?? 0;
    this.#counts[name] = index + 1;
    const result = call();
    if (!(result instanceof Promise)) return result;
    const read = (value: unknown): unknown => {
      this.#called({ name, index, value });
      return value;
    };
    const isRead = READS.has(name) || (name === 'request' && method === 'GET');
    return result.then(isRead ? read : undefined, (error: unknown) => {
      if (isVirguleError(error)) {
        const { code, message, details } = error;
        this.#called({ name, index, error: { code, message, details } });
      }
      throw error;
    });
  }

  get #isFull(): boolean {
    return this.frames.length >= MAX_FRAMES;
  }

  #find(event: ReceivedEvent): ReceivedEvent | undefined {
    return this.frames.find(({ d }) => isDeepStrictEqual(d, event.d));
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
