import type { VirguleError } from '@virgule/core/errors';
import type { EventName, EventPayloads, Ready } from '@virgule/core/protocol';
import type { DeliveryCounts } from './delivery.js';
import type { FrameCounts } from './frames.js';

/** Event as it was received, with any name. */
export interface GatewayEvent {
  /** Name of the event, as in `t` of the frame; possibly unknown to this version. */
  readonly t: string;
  /** Payload, not validated. */
  readonly d: unknown;
  /** Time when the frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
  /** Set for an event that was missed and read back: see `GatewayOptions.backfill`. */
  readonly recovered?: true | undefined;
}

/** Event of the Bot Interface: `t` determines the type of `d`, which is passed on without validation. */
export type KnownEvent = {
  readonly [Name in EventName]: Omit<GatewayEvent, 't' | 'd'> & {
    readonly t: Name;
    readonly d: EventPayloads[Name];
  };
}[EventName];

/** Time without a connection. The platform has no resume, so events of this time are not received. */
export interface GatewayGap {
  /** Time of the last frame of the old connection: ISO 8601, by the wall clock. */
  readonly from: string;
  /** Time when the new connection was ready: ISO 8601, by the wall clock. */
  readonly to: string;
  /** Duration in milliseconds, by the longer of both clocks: the monotonic one may stop while the machine sleeps. */
  readonly ms: number;
  /** Reason for the end of the old connection. */
  readonly reason: string;
  /** Names of events that cannot be read back, always with commands. */
  readonly unrecoverable: readonly EventName[];
}

/** Change of the connection. */
export type GatewayStatus =
  /** READY was received; `reconnected` is false for the first READY. */
  | { readonly state: 'ready'; readonly ready: Ready; readonly reconnected: boolean }
  /** A gap has ended. Reported right before `ready`. */
  | ({ readonly state: 'gap' } & GatewayGap)
  /** The connection was lost; the next attempt starts in `delayMs` milliseconds. */
  | {
      readonly state: 'reconnecting';
      readonly reason: string;
      readonly attempt: number;
      readonly delayMs: number;
    }
  /** The gateway is closed permanently, by `close()` or because of `error`. */
  | { readonly state: 'closed'; readonly error?: VirguleError | undefined };

/** Receives the events and states of a gateway. */
export interface GatewayListener<Event = GatewayEvent> {
  /** Called once for each event, in the order of their arrival. Errors and rejections are logged. */
  dispatch(event: Event): void;
  status?(status: GatewayStatus): void;
  /**
   * Called before each event except commands, which never wait. A returned promise means busy: this and all later events wait
   * until it settles; the function is then called once more, so it may be async. Above the maximum number of waiting
   * events, the oldest MESSAGE_* event is dropped and reported.
   */
  busy?(): Promise<unknown> | undefined;
}

/** Counts since the creation of the gateway. */
export interface GatewayCounts extends DeliveryCounts {
  /** Number of sent IDENTIFY frames. */
  readonly identifies: number;
  /** Number of reported gaps. */
  readonly gaps: number;
  /** Number of connections that were replaced because they received no events; see `GatewayOptions.silenceCheck`. */
  readonly silences: number;
  /** Number of ended connections by close code (1000 and above) or status of a refused upgrade. */
  readonly endings: Readonly<Record<number, number>>;
}

/** Current health of the connection. Ages are in milliseconds. */
export interface GatewayHealth {
  /** True while a connection is READY. */
  readonly isReady: boolean;
  /** Time since READY of the current connection; `undefined` without a connection. */
  readonly readyAgeMs: number | undefined;
  /** Time since the last answer to a heartbeat; `undefined` before the first answer. */
  readonly ackAgeMs: number | undefined;
  /** Time between two heartbeats; `undefined` before HELLO. */
  readonly heartbeatMs: number | undefined;
}

/** Gateway of the platform over a socket of this process. */
export interface Gateway {
  /**
   * Starts the delivery of events and reconnects after each loss. Resolves at the first READY. A newer platform may send
   * unknown names of events: let a `switch` ignore unknown names.
   *
   * @throws VirguleError `E_UNAUTHORIZED` when the token is refused or invalid, `E_UNREACHABLE` when five upgrades in a
   * row were not answered by a gateway (such as 404) before any READY, `E_SHUTTING_DOWN` when the gateway is closed before
   * READY.
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
  /** Set because repeated commands are dropped. */
  readonly deliversOnce: true;
  /** Ends the delivery of events permanently. Further calls have no effect. */
  close(): Promise<void>;
  /** Counts of invalid and unexpected frames. */
  readonly frames: FrameCounts;
  readonly counts: GatewayCounts;
  /** Returns the health of the connection at this moment. */
  health(): GatewayHealth;
  [Symbol.asyncDispose](): Promise<void>;
}
