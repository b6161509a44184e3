import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock, Timer } from '@virgule/core/clock';
import type { CallProgress } from '../ipc.js';
import type { DevPlatform } from './dev-platform.js';

/** How far an interaction has come: nothing was asked of the platform, an answer is owed, none is, or it is too late for one. */
export type Progress = 'untouched' | 'open' | 'done' | 'expired';

export interface PendingEventsOptions {
  readonly clock: Clock;
  /** Shows the thinking state, and returns the progress of an interaction. @defaultValue what the process reported */
  readonly platform: Pick<DevPlatform, 'defer' | 'progressOf'>;
  /** The platform shows the thinking state of a command now. A process that has it does not know. */
  readonly onDeferred: (interactionId: string) => void;
  /** A command will not be completed although its user waits for it. */
  readonly onAbandoned: (interactionId: string, command: string) => void;
  /** It was too late for these commands when their process was found to be gone. */
  readonly onExpired: (commands: readonly string[]) => void;
}

/** An event from when it came until it is known what became of it. */
export interface PendingEvent {
  readonly event: GatewayEvent;
}

interface Handed {
  /** The number under which the process is to say that it took the event. */
  readonly number: number;
  /** The interaction whose thinking state is shown, if that is. */
  readonly deferred: string | undefined;
}

/**
 * How many events are remembered at most, and for how long, in milliseconds: as long as a process might take them, and
 * those whose user sees the thinking state as long as that lasts.
 */
const MAX_EVENTS = 10_000;
const MAX_AGE_MS = 30_000;
const MAX_OPEN_MS = 15 * 60_000;
/** How often an event is begun at most, and how often it is handed over to processes that end before they begin it. */
const MAX_STARTS = 2;
const MAX_DELIVERIES = 5;
/** A command is deferred this many milliseconds after it came, as the bot itself would do. */
const DEFER_MS = 1_500;

interface Entry extends PendingEvent {
  /** Only of commands. */
  readonly interactionId: string | undefined;
  /** The one that has it; `null` while it waits. */
  process: object | null;
  number: number;
  /** Whether that one has begun it, and with what. */
  isTaken: boolean;
  what: string | undefined;
  /** As the process reported. */
  progress: Progress;
  handed: number;
  begun: number;
  /** Until its thinking state is shown from here. */
  timer: Timer | undefined;
  isDeferred: boolean;
}

type Taken = Pick<Entry, 'number' | 'what'>;

/**
 * Keeps every event that is not known to be handled: those that no process has, and those that were handed to one. Shows the
 * users of commands that their command is not lost while no process has begun it, or the one that has does not respond.
 */
export function createPendingEvents(options: PendingEventsOptions) {
  const { clock, platform, onDeferred, onAbandoned, onExpired } = options;
  /** In the order in which they came. */
  const entries = new Set<Entry>();
  const byNumber = new Map<number, Entry>();
  /** Those that are commands. */
  const byInteraction = new Map<string, Entry>();
  const quiet = new WeakSet<object>();
  /** The last event of each process that is no command. Whether its handling has ended is not known. */
  const lastEvents = new WeakMap<object, Taken>();
  let count = 0;
  let dropped = 0;

  const entriesOf = (process: object | null): Entry[] =>
    [...entries].filter((entry) => entry.process === process);

  function progressOf({ interactionId, progress, isDeferred }: Entry): Progress {
    if (interactionId === undefined || !platform.progressOf) return progress;
    const seen = platform.progressOf(interactionId);
    // What was shown from here does not count.
    return seen === 'open' && isDeferred ? 'untouched' : seen;
  }

  /** Shows the thinking state of a command in time, unless a process that responds has begun it by then. */
  function watch(entry: Entry): void {
    const { interactionId, event, process, isTaken } = entry;
    if (process && isTaken && !quiet.has(process)) return release(entry);
    if (interactionId === undefined || entry.timer || entry.isDeferred) return;
    const dueMs = event.receivedAtMs + DEFER_MS - clock.monotonic();
    entry.timer = clock.setTimeout(() => {
      entry.timer = undefined;
      if (progressOf(entry) !== 'untouched') return;
      entry.isDeferred = true;
      // Nothing waits for it here; the window shows whether it succeeded.
      platform.defer(interactionId).then(
        () => onDeferred(interactionId),
        () => {},
      );
    }, dueMs);
  }

  function release(entry: Entry): void {
    entry.timer?.cancel();
    entry.timer = undefined;
  }

  function forget(entry: Entry): void {
    release(entry);
    entries.delete(entry);
    byNumber.delete(entry.number);
    if (entry.interactionId !== undefined) byInteraction.delete(entry.interactionId);
  }

  function forgetOld(): void {
    const nowMs = clock.monotonic();
    for (const entry of entries) {
      const ageMs = nowMs - entry.event.receivedAtMs;
      const isOverfull = entries.size > MAX_EVENTS;
      if (ageMs <= MAX_AGE_MS && !isOverfull) return;
      const isWaiting = entry.process === null;
      const isSeen = !isWaiting && (entry.isDeferred || progressOf(entry) === 'open');
      if (isSeen && ageMs <= MAX_OPEN_MS && !isOverfull) continue;
      forget(entry);
      if (!isWaiting) continue;
      dropped += 1;
      if (entry.isDeferred) abandon(entry);
    }
  }

  function abandon({ interactionId, event }: Entry): void {
    if (interactionId !== undefined) onAbandoned(interactionId, nameOf(event));
  }

  /**
   * Returns what a process is in, as far as can be known: what it took last and has not answered, else what
   * it took last.
   */
  function hangingIn(process: object): Taken | undefined {
    let last = lastEvents.get(process);
    let answered: Taken | undefined;
    for (const entry of entriesOf(process)) {
      if (entry.what === undefined) continue;
      const isUnanswered = ['untouched', 'open'].includes(progressOf(entry));
      if (!isUnanswered) answered = entry;
      else if (entry.number > (last?.number ?? 0)) last = entry;
    }
    return last ?? answered;
  }

  return {
    add(event: GatewayEvent): PendingEvent {
      const entry: Entry = {
        event,
        interactionId: interactionOf(event),
        process: null,
        number: 0,
        isTaken: false,
        what: undefined,
        progress: 'untouched',
        handed: 0,
        begun: 0,
        timer: undefined,
        isDeferred: false,
      };
      entries.add(entry);
      if (entry.interactionId !== undefined) byInteraction.set(entry.interactionId, entry);
      forgetOld();
      return entry;
    },
    /** Keeps an event until a process is there to take it. */
    wait(pending: PendingEvent): void {
      const entry = pending as Entry;
      entry.process = null;
      watch(entry);
    },
    /** Returns the events that wait, oldest first, and how many have expired since the last call. */
    waiting(): { readonly events: readonly PendingEvent[]; readonly dropped: number } {
      forgetOld();
      const taken = { events: entriesOf(null), dropped };
      dropped = 0;
      return taken;
    },
    /** Notes that a process gets the event. */
    hand(pending: PendingEvent, process: object): Handed {
      const entry = pending as Entry;
      count += 1;
      byNumber.delete(entry.number);
      byNumber.set(count, entry);
      const handed = { process, number: count, isTaken: false, what: undefined };
      Object.assign(entry, { ...handed, progress: 'untouched' });
      entry.handed += 1;
      watch(entry);
      return { number: count, deferred: entry.isDeferred ? entry.interactionId : undefined };
    },
    /** Notes that the event was not delivered after all. Returns `false` if another process has it by now. */
    undelivered(number: number): boolean {
      const entry = byNumber.get(number);
      if (entry) entry.handed -= 1;
      return byNumber.delete(number);
    },
    /** @param what - what it is and what handles it, for people; nothing when nothing does. */
    took(number: number, what?: string): void {
      const entry = byNumber.get(number);
      if (!entry?.process) return;
      entry.isTaken = true;
      entry.what = what;
      entry.begun += 1;
      if (entry.interactionId !== undefined) return watch(entry);
      // For other events nothing shows whether they were handled.
      forget(entry);
      if (what !== undefined) lastEvents.set(entry.process, entry);
    },
    /** Notes what a process has reported of an interaction. */
    progressed(interactionId: string, progress: CallProgress): void {
      const entry = byInteraction.get(interactionId);
      if (entry) entry.progress = progress;
      if (entry && progress === 'done') forget(entry);
    },
    /** Whether a process responds. One that ended does not. */
    quieten(process: object, isQuiet: boolean): void {
      if (isQuiet) quiet.add(process);
      else quiet.delete(process);
      entriesOf(process).forEach(watch);
    },
    /** Returns whether the process has a command for which the platform has received no call from it. */
    hasUnanswered: (process: object): boolean =>
      entriesOf(process).some(
        (entry) => entry.interactionId !== undefined && progressOf(entry) === 'untouched',
      ),
    /** Returns what the process most likely is busy with. */
    suspectOf: (process: object): string | undefined => hangingIn(process)?.what,
    /**
     * Returns the events of an ended process that another one may handle: those that were not begun, or left no trace. The
     * others are given up. An event is begun a second time at most, so that one that ends its process does not end all
     * following ones; and not at all if the process most likely hung in it.
     */
    leftBy(process: object, isHung: boolean): readonly PendingEvent[] {
      forgetOld();
      const hanging = isHung ? hangingIn(process)?.number : undefined;
      const expired: string[] = [];
      const again = entriesOf(process).filter((entry) => {
        const progress = progressOf(entry);
        const mayBegin = entry.begun < MAX_STARTS && entry.handed < MAX_DELIVERIES;
        byNumber.delete(entry.number);
        entry.process = null;
        if (progress === 'untouched' && mayBegin && entry.number !== hanging) return true;
        forget(entry);
        if (progress === 'expired') expired.push(nameOf(entry.event));
        else if (progress !== 'done') abandon(entry);
        return false;
      });
      if (expired.length > 0) onExpired(expired);
      return again;
    },
    close: (): void => entries.forEach(release),
  };
}

/** Returns the interaction id of a command, and `undefined` for other events. The handler checks the payload. */
function interactionOf({ t, d }: GatewayEvent): string | undefined {
  const payload = t === 'APPLICATION_COMMAND' ? (d as { interactionId?: unknown } | null) : null;
  return typeof payload?.interactionId === 'string' ? payload.interactionId : undefined;
}

/** Returns the name of a command, of an event that is one. */
function nameOf({ d }: GatewayEvent): string {
  const name = (d as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '';
}
