import { onAbort } from '@virgule/core/abort';

export interface ConcurrencySlot {
  /** Releases the slot. Further calls have no effect. */
  release(): void;
}

/** Store that counts runs. A store that several processes share applies a limit to all processes together. */
export interface ConcurrencyStore {
  /**
   * Returns a slot; `null` if no slot is free and `wait` is `false`, or if too many runs are waiting.
   *
   * @param options - `max`: maximum number of runs with this key at a time; `wait`: `true` to wait for a free slot; `signal`:
   * ends the wait, so that the promise rejects with its reason. Read only if the run has to wait.
   */
  acquire(
    key: string,
    options: { readonly max: number; readonly wait: boolean; readonly signal: AbortSignal },
  ): ConcurrencySlot | null | Promise<ConcurrencySlot | null>;
}

/** Maximum number of waiting runs with one key. */
const MAX_WAITING = 1_000;

interface Gate {
  running: number;
  /** Waiting runs; the longest waiting run is admitted first. */
  readonly waiting: Set<() => void>;
}

export function createMemoryConcurrency(): ConcurrencyStore {
  const gates = new Map<string, Gate>();

  function slotIn(key: string, gate: Gate): ConcurrencySlot {
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        // The next run in the queue takes over the slot, so that no new run can take it.
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
