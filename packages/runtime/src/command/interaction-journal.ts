import { join } from 'node:path';
import { createJournal, STATE_FOLDER, type Journal, type JournalOptions } from '@virgule/core/fs';
import * as z from 'zod';

const openSchema = z.object({
  interactionId: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  /** Name of the command. */
  name: z.string(),
  /** The message that ran the command, and the id of the answer, if they are known; absent for a slash. */
  message: z.object({ createdAt: z.string(), answerId: z.string().optional() }).optional(),
  /** Visible state: the thinking state, an unfinished state, or an answer that waits for users or still grows. */
  shows: z.enum(['thinking', 'state', 'answer']),
  /** Time of the entry, in milliseconds since the epoch. */
  atMs: z.number(),
});

/** Maximum age of an entry in milliseconds: longer than the window of any interaction, even with inexact clocks. */
const MAX_AGE_MS = 86_400_000;

/** An interaction whose user still expects a message. Contains no text of users. */
export type OpenInteraction = Readonly<z.infer<typeof openSchema>>;

/** Journal of the open interactions of this machine. The next start answers the interactions of ended processes. */
export type InteractionJournal = Journal<OpenInteraction>;

/** Path of the journal in the folder of the project. */
export const INTERACTIONS_FOLDER = join(STATE_FOLDER, 'interactions');

export const createInteractionJournal = (
  options: Omit<JournalOptions<OpenInteraction>, 'maxAgeMs' | 'of' | 'parse'>,
): InteractionJournal =>
  createJournal({
    ...options,
    maxAgeMs: MAX_AGE_MS,
    of: 'open interactions',
    parse: (entry) => openSchema.safeParse(entry).data,
  });
