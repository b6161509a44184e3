import { VERSION } from '@virgule/core/net';
import { API_PREFIX } from '@virgule/core/protocol';
import { resolveAddress, warnUnencrypted } from '../address/address.js';
import { resolveClientOptions, type ClientOptions } from '../options/client-options.js';
import type { HttpDispatcher } from '../request/pool.js';
import { checkNumbers, invalidCall } from './check-input.js';

/** Options of `createRest`. */
export interface RestOptions extends ClientOptions {
  /**
   * Address of the platform, `https://chat.example.com`, with or without `/api/bot/v1`; a path in front is kept. `http:` to
   * another machine exposes the token, and is logged as a warning.
   */
  readonly baseUrl: string;
  /**
   * Dispatcher for the requests to `baseUrl`, which the caller closes. Answers to interactions then share its connections
   * with all other calls. @defaultValue connections of undici
   */
  readonly dispatcher?: HttpDispatcher | undefined;
  /** Time limit of a whole call with all its waits and tries, in milliseconds. @defaultValue 30_000 */
  readonly deadlineMs?: number | undefined;
  /**
   * Maximum number of tries, 1 or more, for tools that report errors instead of waiting; waits for rate limits are no tries.
   * @defaultValue unlimited until the deadline if nothing was sent, else 3
   */
  readonly maxTries?: number | undefined;
  /**
   * Path of a file with the pauses that the platform asked for, for the next run. It is written 5 s after a 429 and at `close`,
   * while a pause lasts, and not for a platform on this machine. A disk that fails is logged once.
   * @defaultValue the pauses are kept in memory only
   */
  readonly stateFile?: string | undefined;
  /** The folder that relative paths of files begin in. @defaultValue the working directory */
  readonly filesRoot?: string | undefined;
  /** Name and version of the program: `MyBot/2.1` makes the `User-Agent` `MyBot/2.1 Virgule/0.1.0`. @defaultValue none */
  readonly userAgent?: string | undefined;
}

/** Factor of the default deadline for a call with files. */
const UPLOAD_DEADLINE_FACTOR = 10;

export type RestSettings = ReturnType<typeof resolveRestOptions>;

/** Returns the options with their defaults, and the signal that is aborted when the client closes. */
export function resolveRestOptions(options: RestOptions, closing: AbortSignal) {
  const { deadlineMs = 30_000, maxTries } = options;
  checkNumbers('createRest', { deadlineMs });
  checkNumbers('createRest', { maxTries }, 1);
  const address = resolveAddress('baseUrl', options.baseUrl, ['http:', 'https:'], API_PREFIX.bot);
  const common = resolveClientOptions(options);
  warnUnencrypted('baseUrl', address.origin, common.log);
  return {
    ...options,
    ...common,
    closing,
    address,
    deadlineMs,
    uploadDeadlineMs: deadlineMs * UPLOAD_DEADLINE_FACTOR,
    maxTries: maxTries ?? Number.POSITIVE_INFINITY,
    userAgent: resolveUserAgent(options.userAgent),
  };
}

function resolveUserAgent(userAgent: string | undefined): string {
  const ours = `Virgule/${VERSION}`;
  if (userAgent === undefined) return ours;
  // Anything else could not be sent, or would be another header.
  if (typeof userAgent === 'string' && /^[\x20-\x7e]+$/.test(userAgent))
    return `${userAgent} ${ours}`;
  const expected = 'a string of ASCII characters such as "MyBot/2.1"';
  throw invalidCall('createRest', 'userAgent', expected, userAgent);
}
