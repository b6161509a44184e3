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
  /** Present when a queue delivered it, instead of a socket of this process. */
  readonly queued?: QueuedDelivery | undefined;
}

/** How a queue delivered an event. */
export interface QueuedDelivery {
  /** What it is for: `waits` is a copy for the waits of this process, which another process may handle. */
  readonly to: 'handlers' | 'waits';
  /** Whether the thinking state of the command may show already: another process may have sent it. */
  readonly isDeferred: boolean;
  /** The trace that the process which received the event began, as headers such as `traceparent`. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Called once, when everything that the event started has ended. */
  ended(): void;
  /**
   * Called for a command that this version of the bot does not have, before `ended`. Returns whether another process gets
   * it instead; if not, it is to be answered here.
   */
  passOn?(): boolean;
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

export interface GatewayListener<Event = GatewayEvent> {
  /** Called once for each event, in the order they came. What it throws or rejects with is logged. */
  dispatch(event: Event): void;
  /** `isElsewhere`: whether it is the connection of another process, whose events come over a queue. */
  status?(status: GatewayStatus, isElsewhere?: boolean): void;
  /**
   * Asked before each event but a command. A promise says that there is enough to do: this event and
   * those behind it wait until it settles, and then it is asked once more, so the function may be async. Any other
   * value means that it is not busy. The number of waiting events is limited; then the oldest MESSAGE_* is dropped,
   * and reported. A command never waits and is never dropped: it is handed over at once, ahead of them.
   */
  busy?(): Promise<unknown> | undefined;
}

/**
 * Where gateway events come from: a socket in this process, a parent process that holds the socket,
 * or a queue. A consumer of events sees no difference.
 */
export interface GatewayPort {
  /**
   * Starts delivery and keeps it up. Resolves at the first READY.
   *
   * @throws VirguleError `E_UNAUTHORIZED` when the token is refused or cannot be one, `E_UNREACHABLE` when
   * five upgrades in a row were answered by something that is no gateway (such as 404) before any READY,
   * `E_SHUTTING_DOWN` when closed meanwhile, `E_INVALID_CALL` when `listener` has no function `dispatch`.
   */
  connect(listener: GatewayListener): Promise<Ready>;
  /** Ends delivery for good. Calling it again does nothing more. */
  close(): Promise<void>;
  /** Stops delivery before a shutdown, if events can wait for another process. `close` follows. */
  drain?(): void;
  /**
   * Delivers the events of a channel since a reading of `Clock.monotonic()` to the waits of this process as well, until
   * the returned function is called. Absent when every event comes to this process.
   */
  watch?(channelId: string, sinceMs: number): () => void;
  /** Returns figures of a queue by their names, for metrics. */
  metrics?(): Promise<Readonly<Record<string, number>>>;
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
export interface Gateway extends GatewayPort {
  /**
   * As `GatewayPort.connect`, with the type of each payload. A platform that is newer than this version may send other
   * names of events too: let a `switch` ignore them.
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
  /** Frames out of the ordinary so far. */
  readonly frames: FrameCounts;
  readonly counts: GatewayCounts;
  /** Read at one moment. */
  health(): GatewayHealth;
  [Symbol.asyncDispose](): Promise<void>;
}
