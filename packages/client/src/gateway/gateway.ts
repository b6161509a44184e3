import type { Ready } from '@virgule/core/protocol';
import type { DeliveryCounts } from './delivery.js';
import type { FrameCounts } from './frame-counts.js';
import type { GatewayPort, KnownEventListener } from './port.js';

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
   * Starts delivery and keeps it up. Resolves at the first READY.
   *
   * @throws VirguleError as `GatewayPort.connect`.
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
  connect(listener: KnownEventListener): Promise<Ready>;
  /** Frames out of the ordinary so far. */
  readonly frames: FrameCounts;
  readonly counts: GatewayCounts;
  /** Read at one moment. */
  health(): GatewayHealth;
  [Symbol.asyncDispose](): Promise<void>;
}
