import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../world/refusal.js';
import type { Answer } from './exchange.js';
import { isLoopbackHost } from './guard.js';

/** Keeps people of the same network out of a simulator that listens on more than this machine. */
export interface AccessKey {
  /** Why a request may not pass: it comes from elsewhere and does not know the key. */
  refuse(request: IncomingMessage): Refusal | undefined;
  /** The answer to an address that carries the key: the browser is to remember it, and to forget the address. */
  admit(request: IncomingMessage): Answer | undefined;
}

/** The name of the key in an address. */
const PARAMETER = 'access';

/** A request from this machine by a loopback name needs no key: a bot and the developer's own browser. */
export function createAccessKey(key: string): AccessKey {
  // Cookies do not tell ports apart, and two simulators may run on one machine.
  const cookie = `virgule_${digest(key).toString('hex').slice(0, 8)}`;
  const isKey = (text: string): boolean => timingSafeEqual(digest(text), digest(key));

  return {
    refuse(request) {
      if (isLocal(request) || isKey(cookieOf(request, cookie))) return undefined;
      return new Refusal(401, 'sim_no_access', 'Open the address that `virgule dev` has printed.');
    },
    admit(request) {
      const [path = '/', text = ''] = (request.url ?? '/').split('?', 2);
      const parameters = new URLSearchParams(text);
      const given = parameters.get(PARAMETER);
      if (request.method !== 'GET' || given === null || !isKey(given)) return undefined;
      parameters.delete(PARAMETER);
      const query = parameters.toString();
      return {
        status: 303,
        headers: {
          // Always a path of this server: `//name` would lead elsewhere.
          location: `/${path.replace(/^[\\/]+/, '')}${query && `?${query}`}`,
          'set-cookie': `${cookie}=${key}; Path=/; HttpOnly; SameSite=Strict`,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        },
        body: Buffer.alloc(0),
      };
    },
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isLocal({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '');
  const isLoopback = address === '::1' || (address?.startsWith('127.') ?? false);
  return isLoopback && isLoopbackHost(headers.host);
}

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const found = headers.cookie?.split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}
