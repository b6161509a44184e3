import { createJournal, type Journal } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';

/** What the bot holds in a voice channel: an ingress, or a seat of its own. */
interface Held {
  readonly channelId: string;
  readonly isSeat?: true | undefined;
}

/** The ingresses and seats that are open, so that the next start closes those of a process that is gone. */
export type VoiceJournal = Journal<Held>;

/** Creates a journal in a folder. Without a folder, it stores nothing. */
export const createVoiceJournal = (
  folder: string | undefined,
  { baseUrl, log }: { readonly baseUrl?: string | undefined; readonly log: Log },
): VoiceJournal =>
  createJournal({
    folder,
    baseUrl,
    log,
    of: 'open voice ingresses and seats',
    parse: ({ channelId, isSeat }) =>
      typeof channelId === 'string'
        ? { channelId, isSeat: isSeat === true ? true : undefined }
        : undefined,
  });
