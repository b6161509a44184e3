/** A place that one run of a command takes up. */
export interface ConcurrencyPlace {
  /** Gives it back. Calling it again does nothing. */
  leave(): void;
}

export interface EnterOptions {
  /** How many runs with this key may be under way. */
  readonly max: number;
  /** Whether to wait for a place when none is free. */
  readonly wait: boolean;
  /** Ends the waiting; the promise then rejects with its reason. Not read while nothing is waited for. */
  readonly signal: AbortSignal;
}

/** Where runs are counted. One that several processes share makes a limit hold for all of them. */
export interface ConcurrencyStore {
  /** A place, or `null` when none is free, or when too many wait for one. */
  enter(key: string, options: EnterOptions): ConcurrencyPlace | null | Promise<ConcurrencyPlace>;
}

export interface MemoryConcurrencyOptions {
  /** The most runs that wait with one key. @defaultValue 1_000 */
  readonly maxWaiting?: number | undefined;
}

const DEFAULT_MAX_WAITING = 1_000;

interface Gate {
  running: number;
  /** Let in one by one, the one that waits longest first. */
  readonly waiting: Set<() => void>;
}

/** Runs counted in the memory of this process. */
export function createMemoryConcurrency({
  maxWaiting = DEFAULT_MAX_WAITING,
}: MemoryConcurrencyOptions = {}): ConcurrencyStore {
  const gates = new Map<string, Gate>();

  function placeIn(key: string, gate: Gate): ConcurrencyPlace {
    let isLeft = false;
    return {
      leave() {
        if (isLeft) return;
        isLeft = true;
        // Who waits takes over the place: nobody who comes now gets in between.
        const [next] = gate.waiting;
        if (next) next();
        else if (--gate.running === 0) gates.delete(key);
      },
    };
  }

  function waitIn(key: string, gate: Gate, signal: AbortSignal): Promise<ConcurrencyPlace> {
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        gate.waiting.delete(onFree);
        signal.removeEventListener('abort', onAbort);
      };
      const onFree = (): void => {
        leaveQueue();
        resolve(placeIn(key, gate));
      };
      const onAbort = (): void => {
        leaveQueue();
        reject(signal.reason);
      };
      gate.waiting.add(onFree);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }

  return {
    enter(key, options) {
      const gate = gates.get(key) ?? { running: 0, waiting: new Set() };
      if (gate.running < options.max) {
        gate.running += 1;
        gates.set(key, gate);
        return placeIn(key, gate);
      }
      if (!options.wait || gate.waiting.size >= maxWaiting) return null;
      return waitIn(key, gate, options.signal);
    },
  };
}
