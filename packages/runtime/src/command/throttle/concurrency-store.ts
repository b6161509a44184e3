import { onAbort } from '@virgule/core/abort';

/** A slot that one run of a command occupies. */
export interface ConcurrencySlot {
  /** Releases it. Calling it again has no effect. */
  release(): void;
}

/** Where runs are counted. A store that several processes share applies a limit to all of them. */
export interface ConcurrencyStore {
  /**
   * Returns a slot, or `null` if none is free, or if too many runs wait for one.
   *
   * @param options - `max`: the maximum number of runs with this key at a time; `wait`: whether to wait for a slot when none
   *   is free; `signal`: ends the wait, read only if there is one. The promise then rejects with its reason.
   */
  acquire(
    key: string,
    options: { readonly max: number; readonly wait: boolean; readonly signal: AbortSignal },
  ): ConcurrencySlot | null | Promise<ConcurrencySlot | null>;
}

/** The maximum number of runs that wait with one key. */
const MAX_WAITING = 1_000;

interface Gate {
  running: number;
  /** Admitted one by one, the one that waits longest first. */
  readonly waiting: Set<() => void>;
}

/** Creates a store in the memory of this process. */
export function createMemoryConcurrency(): ConcurrencyStore {
  const gates = new Map<string, Gate>();

  function slotIn(key: string, gate: Gate): ConcurrencySlot {
    let isReleased = false;
    return {
      release() {
        if (isReleased) return;
        isReleased = true;
        // The next one in the queue takes over the slot, so that no new run gets in between.
        const [next] = gate.waiting;
        if (next) next();
        else if (--gate.running === 0) gates.delete(key);
      },
    };
  }

  function waitIn(key: string, gate: Gate, signal: AbortSignal): Promise<ConcurrencySlot> {
    return new Promise((resolve, reject) => {
      const onFree = (): void => {
        gate.waiting.delete(onFree);
        detach();
        resolve(slotIn(key, gate));
      };
      gate.waiting.add(onFree);
      const detach = onAbort(signal, (reason) => {
        gate.waiting.delete(onFree);
        reject(reason);
      });
    });
  }

  return {
    acquire(key, options) {
      const gate = gates.get(key) ?? { running: 0, waiting: new Set() };
      if (gate.running < options.max) {
        gate.running += 1;
        gates.set(key, gate);
        return slotIn(key, gate);
      }
      if (!options.wait || gate.waiting.size >= MAX_WAITING) return null;
      return waitIn(key, gate, options.signal);
    },
  };
}
