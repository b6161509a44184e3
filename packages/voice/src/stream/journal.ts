import { createJournal, type Journal } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';

/** Open ingress of the bot. */
interface Held {
  readonly channelId: string;
}

/** Journal of open ingresses, so that the next start can close the ones of a dead process. */
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
    of: 'open voice ingresses',
    parse: ({ channelId }) => (typeof channelId === 'string' ? { channelId } : undefined),
  });
