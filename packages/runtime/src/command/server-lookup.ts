import { isApiRefused } from '@virgule/client/rest';
import type { BotEnvironment } from './environment.js';

/** Options of each call: a user waits. */
const OPTIONS = { deadlineMs: 3_000 };

/**
 * Creates a lookup of the server of a channel, for events that name no server: it is searched among all visible channels (Bot
 * Interface, Endpoints #2 and #3), which are read for the first such channel, and once for each that is not among them.
 */
export function createServerLookup({ rest, log }: Pick<BotEnvironment, 'rest' | 'log'>) {
  const known = new Map<string, string>();
  const read = async ({ id }: { readonly id: string }): Promise<void> => {
    const channels = await rest.servers.channels(id, OPTIONS).catch((error: unknown) => {
      // Refused at the next message, too.
      if (!isApiRefused(error) || error.details.status >= 500) throw error;
    });
    for (const channel of channels ?? []) known.set(channel.id, id);
  };
  let reading: Promise<unknown> | undefined;
  return async (channelId: string): Promise<string> => {
    if (!known.has(channelId)) {
      reading ??= rest.servers.list(OPTIONS).then((servers) => Promise.all(servers.map(read)));
      await reading.then(
        // A channel that is not visible must not cause these calls for each of its messages.
        () => known.has(channelId) || known.set(channelId, ''),
        (err: unknown) => log.warn({ channelId, err }, 'the server of a channel could not be read'),
      );
      reading = undefined;
    }
    return known.get(channelId) ?? '';
  };
}
