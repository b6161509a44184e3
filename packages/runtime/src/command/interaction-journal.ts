import { join } from 'node:path';
import { createJournal, STATE_FOLDER, type Journal, type JournalOptions } from '@virgule/core/fs';
import * as z from 'zod';

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

/** More than the window of an interaction, whatever the clocks show. */
const MAX_AGE_MS = 86_400_000;

/** An interaction whose user sees that something is to come. Contains no text of users. */
export type OpenInteraction = Readonly<z.infer<typeof openSchema>>;

/** The open interactions of this machine, so that the next start ends those of a process that is gone. */
export type InteractionJournal = Journal<OpenInteraction>;

/** Where the journal of a project is, in the folder of the project. */
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
