import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../world/refusal.js';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the name in a `Host` header, without the port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Returns whether a `Host` header is a loopback name. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && LOOPBACK_NAMES.includes(hostName(host));

/**
 * Returns a refusal for requests of web pages of other origins: `Host` shows a DNS name that was rebound to
 * this machine, `Origin` another page. Programs send no `Origin`, so they are not affected.
 *
 * @param extraName - the host that the simulator listens on, if it is not loopback; `*` allows any name,
 * for a simulator with an access key.
 */
export function foreignRequest(
  { host, origin }: IncomingHttpHeaders,
  extraName?: string,
): Refusal | undefined {
  const isKnown = isLoopbackHost(host) || extraName === '*';
  if (host === undefined || !(isKnown || extraName?.toLowerCase() === hostName(host))) {
    return new Refusal(
      421,
      'sim_foreign_host',
      'The simulator accepts only loopback names in Host.',
    );
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return new Refusal(
      403,
      'sim_foreign_origin',
      'The simulator accepts only its own page as Origin.',
    );
  }
  return undefined;
}
