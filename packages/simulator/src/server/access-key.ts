import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@virgule/core/net';
import { Refusal } from '../world/refusal.js';
import type { Answer } from './exchange.js';
import { isLoopbackHost } from './guard.js';

export type AccessKey = ReturnType<typeof createAccessKey>;

/** Query parameter with the key. */
const PARAMETER = 'access';

/**
 * Creates the protection of a simulator that other machines reach. Requests from this machine to a loopback name need no
 * key.
 */
export function createAccessKey(key: string) {
  // Cookies ignore the port, and two simulators may run on one machine.
  const cookie = `virgule_${digest(key).toString('hex').slice(0, 8)}`;
  const isKey = (text: string): boolean => timingSafeEqual(digest(text), digest(key));

  return {
    /** Returns a refusal for another machine without a valid key. */
    refuse(request: IncomingMessage): Refusal | undefined {
      if (isLocal(request) || isKey(cookieOf(request, cookie))) return undefined;
      const message =
        'The access key is missing or invalid. Open the URL that `virgule dev` printed.';
      return new Refusal(401, 'sim_no_access', message);
    },
    /** Returns the response to a URL with the key: a cookie, and a redirect to the URL without the key. */
    admit(request: IncomingMessage): Answer | undefined {
      const [path = '/', text = ''] = (request.url ?? '/').split('?', 2);
      const parameters = new URLSearchParams(text);
      const given = parameters.get(PARAMETER);
      if (request.method !== 'GET' || given === null || !isKey(given)) return undefined;
      parameters.delete(PARAMETER);
      const query = parameters.toString();
      return {
        status: 303,
        headers: {
          // Always a path of this server: `//name` would be another host.
          location: `/${path.replace(/^[\\/]+/, '')}${query && `?${query}`}`,
          'set-cookie': `${cookie}=${key}; Path=/; HttpOnly; SameSite=Strict`,
          'referrer-policy': 'no-referrer',
        },
        body: Buffer.alloc(0),
      };
    },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(headers.host);
}

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const found = headers.cookie?.split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}
