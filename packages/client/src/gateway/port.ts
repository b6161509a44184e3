import type { VirguleError } from '@virgule/core/errors';
import type { EventName, EventPayloads, Ready } from '@virgule/core/protocol';
import type { DeliveryCounts } from './delivery.js';
import type { FrameCounts } from './frames.js';

/** One event as it came in, whatever its name. */
export interface GatewayEvent {
  /** Name of the event, as in `t` of the frame; may be one this version does not know. */
  readonly t: string;
  /** Payload, not validated. */
  readonly d: unknown;
  /** When the frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
  /** True when it was missed and read back afterwards: see `GatewayOptions.backfill`. */
  readonly recovered?: true | undefined;
}

/**
 * An event of the Bot Interface: `t` says which, and so what `d` is. `d` is as the platform sent it; that it has the
 * stated shape is not checked.
 */
export type KnownEvent = {
  readonly [Name in EventName]: Omit<GatewayEvent, 't' | 'd'> & {
    readonly t: Name;
    readonly d: EventPayloads[Name];
  };
}[EventName];

/** A time in which no connection was up. The platform has no resume: what happened then did not come. */
export interface GatewayGap {
  /** When the last frame of the old connection came in: ISO 8601, by the clock on the wall. */
  readonly from: string;
  /** When the new connection was ready: ISO 8601, by the clock on the wall. */
  readonly to: string;
  /**
   * How long it was, in milliseconds: the longer one by the wall clock, which can be set, and by a
   * monotonic one, which may stop while the machine sleeps.
   */
  readonly ms: number;
  /** Why the old connection ended. */
  readonly reason: string;
  /** The events whose like is lost for good if there were any: commands always, as they cannot be read back. */
  readonly unrecoverable: readonly EventName[];
}

/** What happens to the connection. */
export type GatewayStatus =
  /** READY came; `reconnected` is false for the first one. */
  | { readonly state: 'ready'; readonly ready: Ready; readonly reconnected: boolean }
  /** There was no connection for a while. Reported when it is over, right before `ready`. */
  | ({ readonly state: 'gap' } & GatewayGap)
  /** The connection is gone; the next attempt starts in `delayMs` milliseconds. */
  | {
      readonly state: 'reconnecting';
      readonly reason: string;
      readonly attempt: number;
      readonly delayMs: number;
    }
  /** The connection is closed for good: by `close()`, or by `error`. */
  | { readonly state: 'closed'; readonly error?: VirguleError | undefined };

/** Receives the events and states of a gateway. */
export interface GatewayListener<Event = GatewayEvent> {
  /** Called once for each event, in the order they came. What it throws or rejects with is logged. */
  dispatch(event: Event): void;
  status?(status: GatewayStatus): void;
  /**
   * Asked before each event but a command. A promise says that there is enough to do: this event and
   * those behind it wait until it settles, and then it is asked once more, so the function may be async. Any other
   * value means that it is not busy. The number of waiting events is limited; then the oldest MESSAGE_* is dropped,
   * and reported. A command never waits and is never dropped: it is handed over at once, ahead of them.
   */
  busy?(): Promise<unknown> | undefined;
}

/** What happened so far, counted since the gateway was made. */
export interface GatewayCounts extends DeliveryCounts {
  /** How often IDENTIFY was sent. */
  readonly identifies: number;
  /** How many gaps were reported. */
  readonly gaps: number;
  /** How connections ended, by close code (1000 and above) or status of a refused upgrade. */
  readonly endings: Readonly<Record<number, number>>;
}

/** How the connection does now. Ages are in milliseconds. */
export interface GatewayHealth {
  /** Whether a connection is up and READY. */
  readonly isReady: boolean;
  /** How long ago READY came on the connection that is up; `undefined` when none is. */
  readonly readyAgeMs: number | undefined;
  /** How long ago its last heartbeat was answered; `undefined` before the first answer. */
  readonly ackAgeMs: number | undefined;
  /** Time between two of its heartbeats; `undefined` before HELLO. */
  readonly heartbeatMs: number | undefined;
}

/** The platform's gateway over a socket of this process. */
export interface Gateway {
  /**
   * Starts delivery and keeps it up. Resolves at the first READY. A platform that is newer than this version may send
   * other names of events too: let a `switch` ignore them.
   *
   * @throws VirguleError `E_UNAUTHORIZED` when the token is refused or cannot be one, `E_UNREACHABLE` when
   * five upgrades in a row were answered by something that is no gateway (such as 404) before any READY,
   * `E_SHUTTING_DOWN` when closed meanwhile, `E_INVALID_CALL` when `listener` has no function `dispatch`.
   *
   * @example
   * ```ts
   * await gateway.connect({
   *   dispatch({ t, d }) {
   *     if (t === 'MESSAGE_CREATE') console.log(d.content);
   *   },
   * });
   * ```
   */
  connect(listener: GatewayListener<KnownEvent>): Promise<Ready>;
  /** Ends delivery for good. Calling it again does nothing more. */
  close(): Promise<void>;
  /** Frames out of the ordinary so far. */
  readonly frames: FrameCounts;
  readonly counts: GatewayCounts;
  /** Read at one moment. */
  health(): GatewayHealth;
  [Symbol.asyncDispose](): Promise<void>;
}
