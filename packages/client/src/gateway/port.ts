import type { VirguleError } from '@virgule/core/errors';
import type { Ready } from '@virgule/core/protocol';

/** One event as it came in. */
export interface GatewayEvent {
  /** Name of the event, as in `t` of the frame; may be one this version does not know. */
  readonly t: string;
  /** Payload, not validated. */
  readonly d: unknown;
  /** When the frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
}

/** What happens to the connection. */
export type GatewayStatus =
  /** READY came; `reconnected` is false for the first one. Events in between are lost: the platform has no resume. */
  | { readonly state: 'ready'; readonly ready: Ready; readonly reconnected: boolean }
  /** The connection is gone; the next attempt starts in `delayMs` milliseconds. */
  | {
      readonly state: 'reconnecting';
      readonly reason: string;
      readonly attempt: number;
      readonly delayMs: number;
    }
  /** The connection is closed for good: by `close()`, or by `error`. */
  | { readonly state: 'closed'; readonly error?: VirguleError | undefined };

export interface GatewayListener {
  /** Called once for each event, in the order they came. Must not throw. */
  dispatch(event: GatewayEvent): void;
  status?(status: GatewayStatus): void;
}

/**
 * Where gateway events come from: a socket in this process, a parent process that holds the socket,
 * or a queue. Whoever consumes events sees no difference.
 */
export interface GatewayPort {
  /**
   * Starts delivery and keeps it up. Resolves at the first READY.
   *
   * @throws VirguleError `E_UNAUTHORIZED` when the token is refused, `E_SHUTTING_DOWN` when closed meanwhile.
   */
  connect(listener: GatewayListener): Promise<Ready>;
  /** Ends delivery for good. Calling it again does nothing more. */
  close(): Promise<void>;
}
