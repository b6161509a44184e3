import { createJournal, type Journal } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';

/** What the bot holds in a voice channel: an ingress, or a seat of its own. */
interface Held {
  readonly channelId: string;
  readonly isSeat?: true | undefined;
}

/** The ingresses and seats that are open, so that the next start closes those of a process that is gone. */
export type VoiceJournal = Pick<Journal<Held>, 'open' | 'left'>;

interface VoiceJournalOptions {
  readonly baseUrl?: string | undefined;
  readonly botUserId?: string | undefined;
  readonly log: Log;
}

/** Creates a journal in a folder. Without a folder, it stores nothing. */
export const createVoiceJournal = (
  folder: string | undefined,
  { baseUrl, botUserId, log }: VoiceJournalOptions,
): Journal<Held> =>
  createJournal({
    folder,
    baseUrl,
    botUserId: () => botUserId,
    log,
    of: 'open voice ingresses and seats',
    parse: ({ channelId, isSeat }) =>
      typeof channelId === 'string'
        ? { channelId, isSeat: isSeat === true ? true : undefined }
        : undefined,
  });
