import type { Channel } from '@virgule/core/protocol';
import type { Lifetime } from '../lifetime.js';
import { shownText } from '../raw-input/input-failure.js';
import type { ChannelLookup } from '../raw-input/parse-raw-input.js';
import type { CommandRun } from './command-run.js';

/** A run, as a lookup uses it. The signal of the lifetime is created on first use. */
type Run = Pick<CommandRun, 'env' | 'event'> & { readonly lifetime: Pick<Lifetime, 'signal'> };

/**
 * Creates a lookup of channels by name among the visible channels of the run's server (Bot Interface, Endpoints #3). The
 * channels are read for the first name, and once for all names of a line.
 */
export function createChannelLookup(run: Run): ChannelLookup {
  let reading: Promise<readonly Channel[] | null> | undefined;
  return async (name) => {
    const channels = await (reading ??= readChannels(run));
    if (!channels) return refusal('the channels of this server cannot be read now');
    const folded = fold(name);
    const [only, ...others] = channels.filter((channel) => fold(channel.name) === folded);
    if (!only) return refusal(`there is no channel #${shownText(name)} here that I can see`);
    if (others.length > 0)
      return refusal(`${others.length + 1} channels are called #${shownText(name)}`);
    return { id: only.id };
  };
}

async function readChannels({ env, event, lifetime }: Run): Promise<readonly Channel[] | null> {
  const { serverId } = event;
  const reading = env.rest.servers.channels(serverId, { signal: lifetime.signal });
  return reading.catch((error: unknown) => {
    env.log.warn({ serverId, err: error }, 'could not read the channels of a server');
    return null;
  });
}

const refusal = (why: string) => ({ reason: `${why}; choose it from the list, or use its id` });

/** Returns a name in a form that is equal for all letter cases. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();
