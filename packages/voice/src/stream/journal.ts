import { createJournal, type Journal } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';

/** Ingress of the bot in a voice channel, or its own seat. */
interface Held {
  readonly channelId: string;
  readonly isSeat?: true | undefined;
}

/** Journal of open ingresses and seats, so that the next start can close the ones of a dead process. */
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
