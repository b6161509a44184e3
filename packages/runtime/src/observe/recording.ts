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
const MAX_RANDOM = 1_000;
/** Maximum number of events in a record. */
const MAX_FRAMES = 16;
const READS: ReadonlySet<string> = new Set(
  Object.values(ENDPOINTS).flatMap(({ method, name }) => (method === 'GET' ? name : [])),
);

/** Event that a run may depend on. */
type ReceivedEvent = Pick<BotEvent, 't' | 'd' | 'receivedAtMs'>;

const isIn = (events: readonly ReceivedEvent[], { d }: ReceivedEvent): boolean =>
  events.some((each) => isDeepStrictEqual(each.d, d));

/** Open runs of a channel, the oldest first, and the latest events since the oldest one began. */
export class OpenRuns {
  readonly runs = new Set<Recording>();
  readonly events: ReceivedEvent[] = [];

  received(event: BotEvent): void {
    const { events } = this;
    // A queue delivers an event to handlers and to waits.
    if (!event.queued || !isIn(events, event)) events.push(event);
    if (events.length === 2 * MAX_FRAMES) events.splice(0, MAX_FRAMES);
  }
}

/** Events and values that an open run depends on so far. */
export class Recording {
  readonly work: RecordedWork;
  /** Calls in JSON. */
  readonly calls: string[] = [];
  readonly random: number[] = [];
  /** Entries of the storage in JSON, as they were first read. */
  readonly storage: string[] = [];
  #keys: Set<string> | undefined;
  readonly #channel: OpenRuns;
  /** Events of other runs that were open when the run began. */
  readonly #others: ReceivedEvent[] = [];
  /** Events that waits took. */
  readonly #answers: ReceivedEvent[] = [];
  /** Number of calls by the name of their function. */
  readonly #counts: Record<string, number> = {};
  #room = MAX_LENGTH / 2;

  constructor(work: RecordedWork, channel: OpenRuns) {
    this.work = work;
    this.#channel = channel;
    for (const { work: other } of channel.runs) {
      if (this.#others.length === MAX_FRAMES / 2) break;
      // Several handlers may run for an event.
      if (other.d !== work.d && other.d !== this.#others.at(-1)?.d) this.#others.push(other);
    }
    channel.runs.add(this);
  }

  /** Returns the events of the record in order. The latest events of a busy channel take the room that the others leave. */
  get frames(): readonly ReceivedEvent[] {
    const { work } = this;
    const { t, skipped = [], receivedAtMs } = work;
    // With the times of the event that replaced them, they are in its burst again.
    const replaced = skipped
      .slice(1 - MAX_FRAMES / 2)
      .map((d): ReceivedEvent => ({ t, d, receivedAtMs }))
      .filter((event) => !isIn(this.#others, event));
    const before = [...this.#others, ...replaced, work];
    const answers = this.#answers.slice(0, MAX_FRAMES - before.length);
    const { events } = this.#channel;
    const others = events.filter(
      (event) => event.receivedAtMs >= receivedAtMs && !isIn([...before, ...answers], event),
    );
    const room = MAX_FRAMES - before.length - answers.length;
    const kept = new Set([...answers, ...others.slice(Math.max(0, others.length - room))]);
    // Events of the same time keep their order in the channel.
    const here = events.filter((event) => kept.has(event));
    const elsewhere = answers.filter((event) => !events.includes(event));
    const after = [...here, ...elsewhere].sort(
      (one, other) => one.receivedAtMs - other.receivedAtMs,
    );
    return [...before, ...after];
  }

  /** Keeps an event that a wait took. */
  consumed(event: ReceivedEvent): void {
    const { events } = this.#channel;
    if (this.#answers.length === MAX_FRAMES || isIn(this.#answers, event)) return;
    this.#answers.push(events.find(({ d }) => isDeepStrictEqual(d, event.d)) ?? event);
  }

  drew(number: number): number {
    if (this.random.length < MAX_RANDOM) this.random.push(number);
    return number;
  }

  read(key: string, json?: string): void {
    const keys = (this.#keys ??= new Set());
    if (this.#room <= 0 || keys.has(key)) return;
    keys.add(key);
    const value = json === undefined ? '' : `,"value":${json}`;
    this.#add(this.storage, { key }, () => `{"key":${JSON.stringify(key)}${value}}`);
  }

  /** Makes a call, and records the value of a read, or the error. */
  call(name: string, call: () => unknown, [method]: readonly unknown[]): unknown {
    const index = this.#counts[name] ?? 0;
    this.#counts[name] = index + 1;
    const result = call();
    if (!(result instanceof Promise)) return result;
    const read = (value: unknown): unknown => {
      this.#called({ name, index }, { value });
      return value;
    };
    const isRead = READS.has(name) || (name === 'request' && method === 'GET');
    return result.then(isRead ? read : undefined, (error: unknown) => {
      if (isVirguleError(error)) {
        const { code, message, details } = error;
        this.#called({ name, index }, { error: { code, message, details } });
      }
      throw error;
    });
  }

  #called(call: RecordedCall, result: Partial<RecordedCall>): void {
    this.#add(this.calls, call, () => JSON.stringify({ ...call, ...result }));
  }

  /** Adds an entry in JSON, without its value if there is no room. */
  #add(entries: string[], entry: object, toJson: () => string): void {
    if (this.#room <= 0) return;
    // Details of an error may be anything. A handler may change a value later.
    const json = orUndefined(toJson);
    const isFitting = json && json.length <= Math.min(MAX_VALUE_LENGTH, this.#room);
    const added = isFitting ? json : JSON.stringify({ ...entry, dropped: true });
    this.#room -= added.length;
    entries.push(added);
  }
}
