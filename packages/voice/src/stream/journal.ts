import { createJournal, type Journal } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';

/** What the bot holds in a voice channel: an ingress, or a seat of its own. */
interface Held {
  readonly channelId: string;
  readonly isSeat?: true | undefined;
}

/** The ingresses and seats that are open, so that the next start closes those of a process that is gone. */
export type VoiceJournal = Pick<Journal<Held>, 'open' | 'left'>;

/** Creates a journal in a folder. Without a folder, it stores nothing. */
export const createVoiceJournal = (
  folder: string | undefined,
  log: Log,
  { baseUrl, botUserId }: { readonly baseUrl?: string; readonly botUserId?: string } = {},
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
