import { API_PREFIX } from '@virgule/core/protocol';
import { resolveAddress, warnUnencrypted } from '../address/address.js';
import { resolveClientOptions, type ClientOptions } from '../options/client-options.js';
import type { HttpDispatcher } from '../request/pool.js';
import type { CallPriority } from '../request/call.js';
import { VERSION } from '../version.js';
import { checkNumbers, invalidCall } from './check-input.js';

/** Options of `createRest`. */
export interface RestOptions extends ClientOptions {
  /**
   * Where the platform lives, `https://chat.example.com`, with or without `/api/bot/v1`; a path in front is kept. With
   * `http:` to another machine the token can be read on the network, and that is logged.
   */
  readonly baseUrl: string;
  /**
   * Sends the requests to `baseUrl`, in place of the client's own pools; it stays yours to close.
   * Answers to interactions then share its connections with all other calls.
   *
   * @defaultValue pools of undici connections
   */
  readonly dispatcher?: HttpDispatcher | undefined;
  /** Time for a whole call with all its waits and tries, in milliseconds. @defaultValue 30_000 */
  readonly deadlineMs?: number | undefined;
  /**
   * How often one request is tried at most, for tools that should rather report than wait: 1 or more.
   * Waiting out a rate limit is not a try.
   *
   * @defaultValue until the deadline where nothing was sent, else 3
   */
  readonly maxTries?: number | undefined;
  /**
   * A file that remembers the pauses that the platform asked for, so that a restart waits them out
   * as well. Written 5 s after a 429 and at `close`, while a pause lasts; a disk that cannot be read
   * or written is reported once in the log. Not used when the platform is on this machine.
   *
   * @defaultValue remembered in memory only
   */
  readonly stateFile?: string | undefined;
  /** The folder that relative paths of files begin in. @defaultValue the working directory */
  readonly filesRoot?: string | undefined;
  /**
   * Name and version of the program, `MyBot/2.1`; the header `User-Agent` is then `MyBot/2.1 Virgule/0.1.0`.
   *
   * @defaultValue only this package is named
   */
  readonly userAgent?: string | undefined;
}

/** Taken by every method as its last argument. */
export interface CallOptions {
  /** Ends the call at once, in whatever phase it is. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time for this call with all its waits and tries, in milliseconds. The answer to one try may take half
   * of it, and 15 s at least (2.5 s for `ack` and `defer`).
   *
   * @defaultValue `RestOptions.deadlineMs`, and ten times that with files
   */
  readonly deadlineMs?: number | undefined;
  /**
   * `background` calls go after all others. Answers to interactions that are not `background` go first.
   *
   * @defaultValue `awaited`
   */
  readonly priority?: CallPriority | undefined;
  /** Called each time before the request is sent again. What it throws or rejects with is logged and has no effect. */
  readonly onRetry?: (() => void) | undefined;
  /**
   * Whether an earlier call for the same failed. The first call of an interaction is sent whatever happened to others
   * before it; another one waits while the platform cannot be reached.
   *
   * @defaultValue `false`
   */
  readonly isRetry?: boolean | undefined;
}

/** A call with files may take this many times as long as another one. */
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
