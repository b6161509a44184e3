import { raceAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { areSentMessages } from './sent-message.js';
import {
  carriesFiles,
  toParts,
  type AnswerStates,
  type Answer,
  type MessageParts,
} from './answer.js';
import type { Pursue } from './pursue.js';
import { endQuietly } from './text-source.js';

export interface AnswerStreamOptions {
  /** Tries once to write a state; the signal is aborted when the stream has ended without it. */
  readonly write: (parts: MessageParts, left: AbortSignal) => Promise<unknown>;
  readonly pursue: Pursue;
  /** Called with the last state, already written, if nothing was returned after it. */
  readonly complete?: ((parts: MessageParts) => Promise<unknown>) | undefined;
  /** Called when states begin to be written, with a promise that settles when no state is left to write. */
  readonly onWriting?: ((written: Promise<void>) => void) | undefined;
  readonly clock: Clock;
  /** Shortest time between two writes, in milliseconds. */
  readonly intervalMs: number;
  /** Ends the stream: the generator has to return, and its last state is not written. */
  readonly signal: AbortSignal;
}

/**
 * Writes the states of an answer as a generator yields them: one write at a time, at least
 * `intervalMs` apart, the newest state only, and always the last one.
 *
 * @returns the value that the generator returned, not yet written.
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
  let hasMore = true;
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
        if (hasMore || latest) await clock.sleep(intervalMs, { signal });
      }
    } catch (error) {
      failure ??= { error };
    } finally {
      pump = null;
    }
  }

  try {
    for (;;) {
      signal.throwIfAborted();
      // A generator that ends because it is stopped may return its last state.
      const step = await raceAbort(Promise.resolve(states.next()), signal, clock);
      if (failure) throw (failure as { readonly error: unknown }).error;
      if (step.done) {
        ended = true;
        // The returned value is the newest state; an older one that still waits is dropped.
        const { value } = step;
        hasMore = value !== undefined && value !== null && !areSentMessages(value);
        if (hasMore) latest = null;
        await pump;
        if (failure) throw (failure as { readonly error: unknown }).error;
        if (!hasMore && last) await complete?.(last);
        return step.value;
      }
      // JavaScript may yield nothing, against the types, and the text of a language model begins empty: the previous
      // state remains.
      if ((step.value ?? null) === null) continue;
      const parts = toParts(step.value);
      if (String(parts.content).trim() === '' && !carriesFiles(parts)) continue;
      last = latest = parts;
      if (pump) continue;
      pump = drain();
      onWriting?.(pump);
    }
  } finally {
    if (!ended) {
      // Nothing may be written after the caller has continued, such as with an error text.
      latest = null;
      left.abort();
      void endQuietly(states);
    }
  }
}
