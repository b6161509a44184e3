import { createJournal, type Journal, type LeftEntry } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import * as z from 'zod';
import { textContext, type BotEnvironment } from '../environment.js';
import { Interaction } from './interaction.js';

const openSchema = z.object({
  interactionId: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  /** Name of the command. */
  name: z.string(),
  /** The thinking state, a state that another one was to follow, or an answer that waits for users or still grows. */
  shows: z.enum(['thinking', 'state', 'answer']),
  /** When it was written, by the clock of the machine. */
  atMs: z.number(),
});

/** An interaction whose user sees that something is to come. Contains no text of users. */
type OpenInteraction = Readonly<z.infer<typeof openSchema>>;

/** The open interactions of this machine, so that the next start ends those of a process that is gone. */
export type InteractionJournal = Journal<OpenInteraction>;

export const createInteractionJournal = (options: {
  readonly folder: string;
  readonly baseUrl: string;
  readonly log: Log;
}): InteractionJournal =>
  createJournal({
    ...options,
    of: 'open interactions',
    parse: (entry) => openSchema.safeParse(entry).data,
  });

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
