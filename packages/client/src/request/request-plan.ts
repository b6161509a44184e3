import type { Readable } from 'node:stream';
import type { HttpMethod, RetryClass } from '@virgule/core/protocol';
import type { StallLimits } from './exchange.js';
import type { Lane } from './pool.js';

/** How much a call matters: no user waits for a `background` one. */
export type CallPriority = 'awaited' | 'background';

/** Who goes first. Answers to interactions and their files are a class of their own, whatever a caller says. */
export type PriorityClass = 'interaction' | CallPriority;

/** From the first to the last. */
export const PRIORITY_CLASSES: readonly PriorityClass[] = ['interaction', 'awaited', 'background'];

/** Everything that is known about a call before it is sent. */
export interface RequestPlan {
  /** For errors and logs: `messages.send`. */
  readonly endpoint: string;
  /** For errors and logs: `POST /channels/{channelId}/messages`, without ids or secrets. */
  readonly route: string;
  readonly lane: Lane;
  /** The id its path begins with, or nothing: one endpoint of one id has a limit, as far as is known. */
  readonly major: string;
  readonly retry: RetryClass;
  readonly origin: string;
  readonly method: HttpMethod;
  /** Path and query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  /**
   * A function makes it again for each try, and calls `onPiece` whenever a piece of it was taken; what it throws
   * ends the call.
   */
  readonly body: string | Uint8Array | ((onPiece: () => void) => Readable) | null;
  /** Whether the bot token goes with it, so that a 401 is about the token. */
  readonly carriesToken: boolean;
  /** Whether the caller needs the body of a successful answer. */
  readonly needsBody: boolean;
  /** What a repeated request is refused with when the first one had taken effect. */
  readonly doneBefore: (status: number, apiCode: string) => boolean;
  /** Time to the headers of the answer, in milliseconds. */
  readonly headersMs: number;
  /** For a body that is a stream: after this time without progress the call ends. */
  readonly stall?: StallLimits | undefined;
  /** Time without a byte of the answer's body, in milliseconds. */
  readonly bodyMs: number;
}
