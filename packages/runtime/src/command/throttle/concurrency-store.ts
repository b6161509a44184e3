import { onAbort } from '@virgule/core/abort';

/** A place that one run of a command occupies. */
export interface ConcurrencyPlace {
  /** Releases it. Calling it again has no effect. */
  leave(): void;
}

export interface EnterOptions {
  /** Most runs with this key at a time. */
  readonly max: number;
  /** Whether to wait for a place when none is free. */
  readonly wait: boolean;
  /** Ends the wait; the promise then rejects with its reason. Read only if there is a wait. */
  readonly signal: AbortSignal;
}

/** Where runs are counted. A store that several processes share applies a limit to all of them. */
export interface ConcurrencyStore {
  /** Returns a place, or `null` if none is free, or if too many wait for one. */
  enter(key: string, options: EnterOptions): ConcurrencyPlace | null | Promise<ConcurrencyPlace>;
}

export interface MemoryConcurrencyOptions {
  /** Most runs that wait with one key. @defaultValue 1_000 */
  readonly maxWaiting?: number | undefined;
}

const DEFAULT_MAX_WAITING = 1_000;

interface Gate {
  running: number;
  /** Admitted one by one, the one that waits longest first. */
  readonly waiting: Set<() => void>;
}

/** Creates a store in the memory of this process. */
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
        // The next one in the queue takes over the place, so that no new run gets in between.
        const [next] = gate.waiting;
        if (next) next();
        else if (--gate.running === 0) gates.delete(key);
      },
    };
  }

  function waitIn(key: string, gate: Gate, signal: AbortSignal): Promise<ConcurrencyPlace> {
    return new Promise((resolve, reject) => {
      const onFree = (): void => {
        gate.waiting.delete(onFree);
        detach();
        resolve(placeIn(key, gate));
      };
      gate.waiting.add(onFree);
      const detach = onAbort(signal, (reason) => {
        gate.waiting.delete(onFree);
        reject(reason);
      });
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
