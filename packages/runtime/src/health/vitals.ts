import type { Gateway, GatewayHealth } from '@virgule/client/gateway';
import type { GatewayPort } from '../command/gateway-port.js';
import type { Clock } from '@virgule/core/clock';
import type { BotObserver, ConnectingParts } from '../command/observer.js';

/** The vitals of a bot at one moment. Times are in milliseconds. */
export interface Vitals extends GatewayHealth {
  readonly phase: 'starting' | 'running' | 'closing' | 'closed';
  /** Message of the error that ended the connection permanently, if any. */
  readonly closedBy: string | undefined;
  /** Time without a connection; `undefined` while there is a connection. */
  readonly notReadyForMs: number | undefined;
  /** Time without a connection and without an attempt to connect; `undefined` while there is a connection. */
  readonly stuckForMs: number | undefined;
  /** Origins that cannot be reached and get only probes. */
  readonly openBreakers: readonly string[];
}

const NO_CONNECTION: GatewayHealth = {
  isReady: false,
  readyAgeMs: undefined,
  ackAgeMs: undefined,
  heartbeatMs: undefined,
};

/** Collects the vitals of a bot. */
export type VitalsReader = ReturnType<typeof createVitals>;

export function createVitals(clock: Clock) {
  let parts: ConnectingParts | undefined;
  let phase: Vitals['phase'] = 'starting';
  let lostAtMs: number | undefined = clock.monotonic();
  let triedAtMs = clock.monotonic();
  let readyAtMs: number | undefined;
  let closedBy: string | undefined;

  /** Returns the health of the gateway. Only the status is known if the gateway has no socket in this process. */
  function gatewayHealth(): GatewayHealth {
    const gateway = parts?.gateway;
    if (gateway && isSocketGateway(gateway)) return gateway.health();
    if (readyAtMs === undefined || lostAtMs !== undefined) return NO_CONNECTION;
    return { ...NO_CONNECTION, isReady: true, readyAgeMs: clock.monotonic() - readyAtMs };
  }

  return {
    observer: {
      connecting: (given) => void (parts = given),
      status(change) {
        const { state } = change;
        if (state === 'ready') {
          readyAtMs = clock.monotonic();
          lostAtMs = undefined;
          if (phase === 'starting') phase = 'running';
        } else if (state === 'reconnecting') {
          lostAtMs ??= clock.monotonic();
          triedAtMs = clock.monotonic() + change.delayMs;
        } else if (state === 'closed') {
          lostAtMs ??= clock.monotonic();
          phase = 'closed';
          closedBy ??= change.error?.message;
        }
      },
    } satisfies BotObserver,
    closing() {
      if (phase !== 'closed') phase = 'closing';
    },
    read: (): Vitals => ({
      ...gatewayHealth(),
      phase,
      closedBy,
      notReadyForMs: lostAtMs === undefined ? undefined : clock.monotonic() - lostAtMs,
      stuckForMs: lostAtMs === undefined ? undefined : Math.max(0, clock.monotonic() - triedAtMs),
      openBreakers: (parts?.rest.limits().origins ?? [])
        .filter(({ isCircuitOpen }) => isCircuitOpen)
        .map(({ origin }) => origin),
    }),
    /** The REST client and the gateway, once they exist. */
    get parts() {
      return parts;
    },
  };
}

export const isSocketGateway = (gateway: GatewayPort): gateway is Gateway => 'health' in gateway;

/** Time without a connection and without an attempt to connect from which a bot is unhealthy, in milliseconds. */
const MAX_STUCK_MS = 120_000;
/** Additional time for the answer to a heartbeat, in milliseconds. Without an answer the gateway normally reconnects by itself. */
const ACK_GRACE_MS = 10_000;

/**
 * Evaluates the health of a bot for a supervisor, which restarts an unhealthy bot. Returns the reasons, one line each.
 */
export function judgeVitals(vitals: Vitals) {
  const { phase, stuckForMs, readyAgeMs, ackAgeMs, heartbeatMs } = vitals;
  const reasons: string[] = [];
  if (phase === 'closed') reasons.push(vitals.closedBy ?? 'the connection was closed permanently');
  else if (stuckForMs !== undefined && stuckForMs >= MAX_STUCK_MS)
    reasons.push(`no connection and no attempt to connect for ${seconds(stuckForMs)}`);
  const silentForMs = ackAgeMs ?? readyAgeMs ?? 0;
  if (heartbeatMs !== undefined && silentForMs > 2 * heartbeatMs + ACK_GRACE_MS)
    reasons.push(`no heartbeat was answered for ${seconds(silentForMs)}`);
  return {
    healthy: reasons.length === 0,
    /** `true` if the bot can receive and answer commands now. */
    ready: phase === 'running' && vitals.isReady && vitals.openBreakers.length === 0,
    reasons,
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
