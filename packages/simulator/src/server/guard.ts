import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../world/refusal.js';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a `Host` header, without the port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/**
 * Keeps web pages of other origins out: a name that was rebound to this machine shows in `Host`,
 * another page in `Origin`. Programs send no `Origin` and pass.
 *
 * @param extraName - the name the simulator was told to listen on, when it is not loopback.
 */
export function foreignRequest(
  { host, origin }: IncomingHttpHeaders,
  extraName?: string,
): Refusal | undefined {
  if (
    host === undefined ||
    ![...LOOPBACK_NAMES, extraName?.toLowerCase()].includes(hostName(host))
  ) {
    return new Refusal(421, 'sim_foreign_host', 'The simulator answers on this machine only.');
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return new Refusal(403, 'sim_foreign_origin', 'The simulator answers its own page only.');
  }
  return undefined;
}
