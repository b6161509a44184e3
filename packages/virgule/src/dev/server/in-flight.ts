import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock } from '@virgule/core/clock';
import { interactionOf } from '../interaction-of.js';

/** How far an interaction has come: nothing was asked of the platform, an answer is owed, none is, or it is too late for one. */
export type Progress = 'untouched' | 'open' | 'done' | 'expired';

export interface InFlightOptions {
  readonly clock: Clock;
  /**
   * Returns how far an interaction is, if the platform can be inspected.
   *
   * @defaultValue what the process reported with `called` and `settled`
   */
  readonly progressOf?: ((interactionId: string) => Progress) | undefined;
}

/** What a process that ended left behind. */
interface LeftBehind {
  /** Events that another process may handle: these were not begun, or left no trace. */
  readonly again: readonly GatewayEvent[];
  /** Commands that were begun and will not be completed: their users have to be notified. */
  readonly abandoned: readonly { readonly interactionId: string; readonly command: string }[];
  /** Names of commands that it is too late for. */
  readonly expired: readonly string[];
}

/** Remembers the events that were handed to processes, until it is known what became of them. */
export interface InFlight {
  /** @returns the number under which the process is to say that it took it. */
  sent(process: object, event: GatewayEvent): number;
  /** Notes that the event was not delivered after all. */
  undelivered(number: number): boolean;
  /** @param what - what it is and what handles it, for people; nothing when nothing does. */
  took(number: number, what?: string): void;
  called(interactionId: string): void;
  settled(interactionId: string): void;
  /** Returns the events of a process of which nothing final is known. */
  eventsOf(process: object): readonly GatewayEvent[];
  /** Returns whether the process has a command for which the platform has received no call from it. */
  hasUnanswered(process: object): boolean;
  /** Returns what the process most likely is busy with. */
  suspectOf(process: object): string | undefined;
  /**
   * Returns the events that an ended process left, and removes them. An event that was begun is delivered a second
   * time at most, so that one that ends its process does not end all following ones; and not at all if the process
   * most likely hung in it.
   */
  leftBehind(process: object, isHung: boolean): LeftBehind;
}

/**
 * How many events are remembered at most, and for how long, in milliseconds: as long as another process might take
 * them, and those whose user sees the thinking state as long as that lasts.
 */
const MAX_ENTRIES = 1_000;
const MAX_AGE_MS = 30_000;
const MAX_OPEN_MS = 15 * 60_000;
/** How often an event is begun at most, and how often it is handed over to processes that end before they begin it. */
const MAX_STARTS = 2;
const MAX_DELIVERIES = 5;

interface Entry {
  readonly process: object;
  readonly event: GatewayEvent;
  readonly handed: number;
  readonly interactionId: string | undefined;
  /** Set when it was taken. */
  what: string | undefined;
  progress: Progress;
}

interface Taken {
  readonly number: number;
  readonly what: string;
}

export function createInFlight({ clock, progressOf }: InFlightOptions): InFlight {
  const entries = new Map<number, Entry>();
  const numbers = new Map<string, number>();
  /** How often events have been handed over, and how often they were begun. */
  const handed = new WeakMap<GatewayEvent, number>();
  const begun = new WeakMap<GatewayEvent, number>();
  /** The last event of each process that is no command. Whether its handling has ended is not known. */
  const events = new WeakMap<object, Taken>();
  let count = 0;

  function forget(number: number): void {
    const id = entries.get(number)?.interactionId;
    entries.delete(number);
    if (id !== undefined && numbers.get(id) === number) numbers.delete(id);
  }

  function forgetOld(): void {
    const nowMs = clock.monotonic();
    for (const [number, entry] of entries) {
      const ageMs = nowMs - entry.event.receivedAtMs;
      if (ageMs <= MAX_AGE_MS && entries.size <= MAX_ENTRIES) return;
      const isSeen = ageMs <= MAX_OPEN_MS && progressNow(entry) === 'open';
      if (!isSeen || entries.size > MAX_ENTRIES) forget(number);
    }
  }

  /**
   * Returns what a process is in, as far as can be known: what it took last and has not answered, else what
   * it took last.
   */
  function hangingIn(process: object): Taken | undefined {
    let last = events.get(process);
    let answered: Taken | undefined;
    for (const [number, entry] of entries) {
      const { what } = entry;
      if (entry.process !== process || what === undefined) continue;
      const isUnanswered = ['untouched', 'open'].includes(progressNow(entry));
      if (!isUnanswered) answered = { number, what };
      else if (number > (last?.number ?? 0)) last = { number, what };
    }
    return last ?? answered;
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
        what: undefined,
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
    took(number, what) {
      const entry = entries.get(number);
      if (!entry) return;
      entry.what = what;
      begun.set(entry.event, (begun.get(entry.event) ?? 0) + 1);
      if (entry.interactionId !== undefined) return;
      // For other events nothing shows whether they were handled.
      forget(number);
      if (what !== undefined) events.set(entry.process, { number, what });
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
    hasUnanswered: (process) =>
      [...entries.values()].some(
        (entry) =>
          entry.process === process &&
          entry.interactionId !== undefined &&
          progressNow(entry) === 'untouched',
      ),
    suspectOf: (process) => hangingIn(process)?.what,
    leftBehind(process, isHung) {
      forgetOld();
      const hanging = isHung ? hangingIn(process)?.number : undefined;
      const again: GatewayEvent[] = [];
      const abandoned: { interactionId: string; command: string }[] = [];
      const expired: string[] = [];
      for (const [number, entry] of entries) {
        if (entry.process !== process) continue;
        const { event, interactionId } = entry;
        const progress = progressNow(entry);
        forget(number);
        if (progress === 'done') continue;
        const command = commandOf(event);
        if (progress === 'expired') expired.push(command);
        else if (progress === 'untouched' && mayBegin(entry) && number !== hanging)
          again.push(event);
        else if (interactionId !== undefined) abandoned.push({ interactionId, command });
      }
      return { again, abandoned, expired };
    },
  };

  function mayBegin({ event, handed: times }: Entry): boolean {
    return (begun.get(event) ?? 0) < MAX_STARTS && times < MAX_DELIVERIES;
  }

  function progressNow({ interactionId, progress }: Entry): Progress {
    if (interactionId === undefined) return 'untouched';
    return progressOf ? progressOf(interactionId) : progress;
  }
}

/** Returns the name of a command, of an event that is one. */
export function commandOf({ d }: GatewayEvent): string {
  const name = (d as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '';
}
