import type { LeftEntry } from '@virgule/core/fs';
import { textContext, type BotEnvironment } from '../environment.js';
import type { OpenInteraction } from '../interaction-journal.js';
import { Interaction } from './interaction.js';

/** How each is ended. A first answer may have arrived after the entry was written: endpoint 31 is refused then. */
const ENDS = {
  thinking: { opened: 'deferred', how: 'write' },
  state: { opened: 'unknown', how: 'write' },
  answer: { opened: 'answered', how: 'reply' },
} as const;

/** Answers what processes left that are gone with the text `restarting`. Never rejects. */
export async function endLeft(
  left: readonly LeftEntry<OpenInteraction>[],
  env: BotEnvironment,
): Promise<void> {
  await Promise.all(left.map((entry) => endOne(entry, env)));
}

async function endOne(
  { facts, forget }: LeftEntry<OpenInteraction>,
  env: BotEnvironment,
): Promise<void> {
  const { interactionId, name: command, shows, atMs } = facts;
  const { clock, log, profile, texts } = env;
  const ageMs = Math.max(0, clock.now() - atMs);
  if (ageMs > profile.deferredWindowMs) return forget();
  const { opened, how } = ENDS[shows];
  const receivedAtMs = clock.monotonic() - ageMs;
  const interaction = new Interaction(
    { interactionId, commandName: command, receivedAtMs, opened },
    env,
  );
  try {
    await interaction[how]({ content: texts.restarting(textContext(env, facts)) });
    log.warn({ command, interactionId }, `/${command} was interrupted by the end of its process`);
    forget();
  } catch (error) {
    const { state, isAnsweredBefore } = interaction;
    // Otherwise the next start tries again.
    if (state === 'expired' || isAnsweredBefore) forget();
    else
      log.warn(
        { command, interactionId, err: error },
        `/${command} was interrupted by the end of its process, and could not be answered`,
      );
  } finally {
    interaction.end();
  }
}
