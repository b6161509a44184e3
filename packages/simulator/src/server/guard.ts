import type { IncomingHttpHeaders } from 'node:http';
import { hostOf, isLoopback } from '@virgule/core/net';
import { Refusal } from '../world/refusal.js';

/** The last `Host` that was a loopback name. */
let lastLoopbackHost: string | undefined;

/** Returns whether a `Host` header is a loopback name. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host === lastLoopbackHost) return true;
  if (!isLoopback(hostOf(host))) return false;
  lastLoopbackHost = host;
  return true;
}

/**
 * Returns a refusal for web pages of other origins: `Host` shows a DNS name that was rebound to this machine, `Origin`
 * another page, as does `Sec-Fetch-Site` for requests without `Origin`, such as images. Programs send neither.
 *
 * @param extraName - the host that the simulator listens on.
 */
export function foreignRequest(
  { host, origin, 'sec-fetch-site': site, 'sec-fetch-dest': use }: IncomingHttpHeaders,
  extraName?: string,
) {
  const isKnown = isLoopbackHost(host);
  if (host === undefined || !(isKnown || extraName?.toLowerCase() === hostOf(host))) {
    const message = 'The simulator accepts only loopback names in Host.';
    return new Refusal(421, 'sim_foreign_host', message);
  }
  // A link of another page may open the chat.
  const isForeign = /^(cross|same)-site$/.test(String(site)) && use !== 'document';
  const own = [isForeign ? null : undefined, `http://${host}`, `https://${host}`];
  if (own.includes(origin)) return undefined;
  const message = 'The simulator accepts only its own page as Origin.';
  return new Refusal(403, 'sim_foreign_origin', message);
}
