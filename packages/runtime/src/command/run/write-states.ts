import { raceAbort } from '@virgule/core/abort';
import {
  carriesFiles,
  splitMessage,
  toParts,
  type Answer,
  type AnswerStates,
  type MessageParts,
} from '../answer/answer.js';
import { areSentMessages } from '../answer/sent-message.js';
import { endQuietly } from '../answer/text-source.js';
import type { CommandRun } from './command-run.js';
import { deliver, showState } from './write-answer.js';

/**
 * Writes the states of an answer as a generator yields them: one write at a time, at least the profile's `editIntervalMs`
 * apart. Only the newest state is written, and always the last one. A stop of the run ends the stream: the generator has to
 * return, and its last state is not written.
 *
 * @returns the value that the generator returned, not yet written.
 */
export async function writeStates(states: AnswerStates, run: CommandRun): Promise<Answer> {
  const { interaction, env } = run;
  const { clock } = env;
  const { signal } = run.lifetime;
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
        await interaction.pursue(async () => {
          if (left.signal.aborted) return;
          parts = latest ?? parts;
          latest = null;
          await showState(parts, left.signal, run);
        }, left.signal);
        if (hasMore || latest) await clock.sleep(env.profile.editIntervalMs, { signal });
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
      // A generator that ends because of a stop may return its last state.
      const step = await raceAbort(Promise.resolve(states.next()), signal, clock);
      if (failure) throw (failure as { readonly error: unknown }).error;
      if (step.done) {
        ended = true;
        // The returned value is the newest state; an older state that is not written yet is dropped.
        const { value } = step;
        hasMore = value !== undefined && value !== null && !areSentMessages(value);
        if (hasMore) latest = null;
        await pump;
        if (failure) throw (failure as { readonly error: unknown }).error;
        // `showState` has shown the first part of a long text.
        const others = !hasMore && last ? splitMessage(last).slice(1) : [];
        for (const message of others) await deliver('reply', message, run);
        if ((value ?? null) === null) void interaction.finish();
        return value;
      }
      // The previous state remains: JavaScript may yield nothing, against the types, and the text of a language model begins
      // empty.
      if ((step.value ?? null) === null) continue;
      const parts = toParts(step.value);
      if (String(parts.content).trim() === '' && !carriesFiles(parts)) continue;
      last = latest = parts;
      if (pump) continue;
      run.statesWritten = pump = drain();
    }
  } finally {
    if (!ended) {
      // No state may be written after the caller has continued, such as with an error text.
      latest = null;
      left.abort();
      endQuietly(states);
    }
  }
}
