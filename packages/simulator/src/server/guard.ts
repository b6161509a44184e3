import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../world/refusal.js';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a `Host` header, without the port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Whether a `Host` header names this machine. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAMES.includes(hostName(host));

/**
 * Keeps web pages of other origins out: a name that was rebound to this machine shows in `Host`,
 * another page in `Origin`. Programs send no `Origin` and pass.
 *
 * @param extraName - the name the simulator was told to listen on, when it is not loopback; `*` is any name, for
 * a simulator that asks for a key.
 */
export function foreignRequest(
  { host, origin }: IncomingHttpHeaders,
  extraName?: string,
): Refusal | undefined {
  const isKnown = isLoopbackHost(host) || extraName === '*';
  if (host === undefined || !(isKnown || extraName?.toLowerCase() === hostName(host))) {
    return new Refusal(421, 'sim_foreign_host', 'The simulator answers on this machine only.');
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return new Refusal(403, 'sim_foreign_origin', 'The simulator answers its own page only.');
  }
  return undefined;
}
