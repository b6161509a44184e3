import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock } from '@virgule/core/clock';
import { interactionOf } from './interaction-of.js';

/** How far an interaction has come: nothing was asked of the platform, an answer is owed, or none is. */
export type Progress = 'untouched' | 'open' | 'done';

export interface InFlightOptions {
  readonly clock: Clock;
  /**
   * Knows how far an interaction has come, where the platform is at hand.
   *
   * @defaultValue what the process told with `called` and `settled`
   */
  readonly progressOf?: ((interactionId: string) => Progress) | undefined;
}

/** What a process that ended left behind. */
interface LeftBehind {
  /** Events that another process may handle: these were not begun, or left no trace. */
  readonly again: readonly GatewayEvent[];
  /** Commands that were begun and will not be ended: their users are to be told. */
  readonly abandoned: readonly { readonly interactionId: string; readonly command: string }[];
}

/** Remembers the events that were handed to processes, until it is known what became of them. */
export interface InFlight {
  /** @returns the number under which the process is to say that it took it. */
  sent(process: object, event: GatewayEvent): number;
  /** The event was not delivered after all. @returns whether it still has to be: it may have been given back already. */
  undelivered(number: number): boolean;
  took(number: number): void;
  called(interactionId: string): void;
  settled(interactionId: string): void;
  /** The events of a process of which nothing final is known. */
  eventsOf(process: object): readonly GatewayEvent[];
  /**
   * Gives what a process left behind that has ended, and forgets it. An event is given a second time
   * only once, so that one that ends its process does not end the next for ever.
   */
  leftBehind(process: object): LeftBehind;
}

/** How many events are remembered at most, and for how long, in milliseconds. */
const MOST = 1_000;
const LONGEST_MS = 30_000;
/** How often an event is handed over at most. */
const HANDED_MOST = 2;

interface Entry {
  readonly process: object;
  readonly event: GatewayEvent;
  readonly handed: number;
  readonly interactionId: string | undefined;
  taken: boolean;
  progress: Progress;
}

export function createInFlight({ clock, progressOf }: InFlightOptions): InFlight {
  const entries = new Map<number, Entry>();
  const numbers = new Map<string, number>();
  /** How often events that were given back have been handed over. */
  const handed = new WeakMap<GatewayEvent, number>();
  let count = 0;

  function forget(number: number): void {
    const id = entries.get(number)?.interactionId;
    entries.delete(number);
    if (id !== undefined && numbers.get(id) === number) numbers.delete(id);
  }

  function forgetOld(): void {
    const sinceMs = clock.monotonic() - LONGEST_MS;
    for (const [number, { event }] of entries) {
      if (entries.size <= MOST && event.receivedAtMs >= sinceMs) return;
      forget(number);
    }
  }

  const entryOf = (interactionId: string): Entry | undefined =>
    entries.get(numbers.get(interactionId) ?? 0);

  return {
    sent(process, event) {
      count += 1;
      const interactionId = interactionOf(event);
      const times = (handed.get(event) ?? 0) + 1;
      handed.set(event, times);
      entries.set(count, {
        process,
        event,
        handed: times,
        interactionId,
        taken: false,
        progress: 'untouched',
      });
      if (interactionId !== undefined) numbers.set(interactionId, count);
      forgetOld();
      return count;
    },
    undelivered(number) {
      const entry = entries.get(number);
      if (!entry) return false;
      handed.set(entry.event, entry.handed - 1);
      forget(number);
      return true;
    },
    took(number) {
      const entry = entries.get(number);
      if (!entry) return;
      entry.taken = true;
      // What is no command leaves no trace by which to tell whether it was handled.
      if (entry.interactionId === undefined) forget(number);
    },
    called(interactionId) {
      const entry = entryOf(interactionId);
      if (entry) entry.progress = 'open';
    },
    settled(interactionId) {
      const number = numbers.get(interactionId);
      if (number !== undefined) forget(number);
    },
    eventsOf: (process) =>
      [...entries.values()].filter((entry) => entry.process === process).map(({ event }) => event),
    leftBehind(process) {
      forgetOld();
      const again: GatewayEvent[] = [];
      const abandoned: { interactionId: string; command: string }[] = [];
      for (const [number, entry] of entries) {
        if (entry.process !== process) continue;
        forget(number);
        const { event, interactionId } = entry;
        const progress =
          interactionId === undefined ? 'untouched' : progressNow(interactionId, entry);
        if (progress === 'done') continue;
        if (progress === 'untouched' && entry.handed < HANDED_MOST) again.push(event);
        else if (interactionId !== undefined)
          abandoned.push({ interactionId, command: commandOf(event) });
      }
      return { again, abandoned };
    },
  };

  function progressNow(interactionId: string, entry: Entry): Progress {
    return progressOf ? progressOf(interactionId) : entry.progress;
  }
}

function commandOf({ d }: GatewayEvent): string {
  const name = (d as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '';
}
