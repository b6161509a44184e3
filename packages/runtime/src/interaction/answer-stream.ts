import type { Clock } from '@virgule/core/clock';
import { toParts, type AnswerStates, type Answer, type MessageParts } from '../define/answer.js';

export interface AnswerStreamOptions {
  /** Tries once to write a state; the signal is aborted when the stream has ended without it. */
  readonly write: (parts: MessageParts, left: AbortSignal) => Promise<unknown>;
  /** Makes a call again and again until it gets through. */
  readonly pursue: <T>(
    call: () => Promise<T>,
    options: { readonly signal: AbortSignal },
  ) => Promise<T>;
  /** Called with the last state when nothing was returned after it; it is written already. */
  readonly complete?: ((parts: MessageParts) => Promise<unknown>) | undefined;
  /** Told when states begin to be written, with what settles when none is left that waits. */
  readonly onWriting?: ((written: Promise<void>) => void) | undefined;
  readonly clock: Clock;
  /** Shortest time between two writes, in milliseconds. */
  readonly intervalMs: number;
  /** Ends the stream: the generator is told to return, and what it gave last is not written. */
  readonly signal: AbortSignal;
}

/**
 * Writes the states of an answer as a generator gives them: one write at a time, at least
 * `intervalMs` apart, the newest state only, and always the last one.
 *
 * @returns what the generator returned, not yet written.
 */
export async function writeStates(
  states: AnswerStates,
  options: AnswerStreamOptions,
): Promise<Answer> {
  const { write, pursue, complete, onWriting, clock, intervalMs, signal } = options;
  let latest: MessageParts | null = null;
  let last: MessageParts | null = null;
  let ended = false;
  const left = new AbortController();
  let goesOn = true;
  let failure: { readonly error: unknown } | null = null;
  let pump: Promise<void> | null = null;

  async function drain(): Promise<void> {
    try {
      while (latest && !signal.aborted) {
        let parts = latest;
        await pursue(
          async () => {
            if (left.signal.aborted) return;
            parts = latest ?? parts;
            latest = null;
            await write(parts, left.signal);
          },
          { signal: left.signal },
        );
        if (goesOn || latest) await clock.sleep(intervalMs, { signal });
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      pump = null;
    }
  }

  try {
    for (;;) {
      const step = await raceAbort(Promise.resolve(states.next()), signal);
      if (failure) throw (failure as { readonly error: unknown }).error;
      if (step.done) {
        ended = true;
        // The returned value is the newest state of all; an older one that still waits is dropped.
        goesOn = step.value !== undefined && step.value !== null;
        if (goesOn) latest = null;
        await pump;
        if (failure) throw (failure as { readonly error: unknown }).error;
        if (!goesOn && last) await complete?.(last);
        return step.value;
      }
      // JavaScript may yield nothing, against the types: the state before it stands.
      if ((step.value ?? null) === null) continue;
      last = latest = toParts(step.value);
      if (pump) continue;
      pump = drain();
      onWriting?.(pump);
    }
  } finally {
    if (!ended) {
      // Nothing may be written after whoever called has gone on, such as to an error text.
      latest = null;
      left.abort();
      void endStates(states);
    }
  }
}

/** Tells a generator that nobody listens any more. */
async function endStates(states: AnswerStates): Promise<void> {
  try {
    await states.return(undefined);
  } catch {
    // It threw while cleaning up, or is a plain iterator without `return`: neither is why it was ended.
  }
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it is aborted. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
