import type { Rest } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import type { Channel } from '@virgule/core/protocol';
import type { ChannelLookup } from '../raw-input/channel-lookup.js';

export interface ChannelLookupOptions {
  readonly rest: Rest;
  /** The server where the command was run. */
  readonly serverId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * Creates a lookup of channels by name among those of a server that the bot can see (Bot Interface,
 * Endpoints #3). They are read for the first name, and once for all names of a line.
 */
export function createChannelLookup(options: ChannelLookupOptions): ChannelLookup {
  const { rest, serverId, signal, log } = options;
  let reading: Promise<readonly Channel[] | null> | undefined;

  async function read(): Promise<readonly Channel[] | null> {
    try {
      return await rest.servers.channels(serverId, { signal });
    } catch (error) {
      log.warn({ serverId, err: error }, 'could not read the channels of a server');
      return null;
    }
  }

  return async (name) => {
    const channels = await (reading ??= read());
    if (!channels) return refusal('the channels of this server cannot be read now');
    const [only, ...others] = named(channels, name);
    if (!only) return refusal(`there is no channel #${name} here that I can see`);
    if (others.length > 0) return refusal(`${others.length + 1} channels are called #${name}`);
    return { found: true, id: only.id };
  };
}

const refusal = (why: string) =>
  ({ found: false, reason: `${why}; choose it from the list, or use its id` }) as const;

/** Returns the channels of exactly this name, or else those of it in another case. */
function named(channels: readonly Channel[], name: string): Channel[] {
  const exact = channels.filter((channel) => channel.name === name);
  if (exact.length > 0) return exact;
  const folded = fold(name);
  return channels.filter((channel) => fold(channel.name) === folded);
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();
