import type { Log } from '@virgule/core/log';
import { isLoopbackUrl } from '@virgule/core/net';
import type { AddressName } from '../errors/error-details.js';

/** Names the risk of an address that is neither encrypted nor on this machine. */
export function warnUnencrypted(name: AddressName, origin: string, log: Log): void {
  const { protocol } = new URL(origin);
  if (protocol === 'https:' || protocol === 'wss:' || isLoopbackUrl(origin)) return;
  log.warn(
    { name, origin },
    `${name} begins with ${protocol}//, which is not encrypted: anyone on the network path can read the bot token, act as the bot, and read every message, use ${protocol.replace(':', 's:')}// instead`,
  );
}
