import type { BotEnvironment } from './environment.js';

/** Deadline of each call, in milliseconds: a user waits. */
const DEADLINE_MS = 3_000;

/**
 * Creates a lookup of the server of a channel, for events that name no server: it is searched among all visible channels (Bot
 * Interface, Endpoints #2 and #3), which are read for the first such channel, and once for each that is not among them.
 */
export function createServerLookup({
  rest: { servers },
  log,
}: Pick<BotEnvironment, 'rest' | 'log'>): BotEnvironment['serverOf'] {
  const known = new Map<string, string>();
  async function read(): Promise<void> {
    const options = { deadlineMs: DEADLINE_MS };
    const visible = await servers.list(options);
    await Promise.all(
      visible.map(async ({ id }) => {
        for (const channel of await servers.channels(id, options)) known.set(channel.id, id);
      }),
    );
  }
  let reading: Promise<void> | undefined;
  return async (channelId) => {
    try {
      if (!known.has(channelId)) {
        await (reading ??= read().finally(() => (reading = undefined)));
        // A channel that is not visible must not cause these calls for each of its messages.
        if (!known.has(channelId)) known.set(channelId, '');
      }
    } catch (error) {
      log.warn({ channelId, err: error }, 'the server of a channel could not be read');
    }
    return known.get(channelId) ?? '';
  };
}
