import type { Gateway, GatewayHealth } from '@virgule/client/gateway';
import type { GatewayPort } from '../command/gateway-port.js';
import type { Clock } from '@virgule/core/clock';
import type { BotObserver, ConnectingParts } from '../command/observer.js';

/** The phase of a bot. */
type BotPhase = 'starting' | 'running' | 'closing' | 'closed';

/** The vitals of a bot at one moment. Times are in milliseconds. */
export interface Vitals extends GatewayHealth {
  readonly phase: BotPhase;
  /** The error that ended the connection permanently, if there was one. */
  readonly closedBy: string | undefined;
  /** How long there has been no connection; `undefined` while there is one. */
  readonly notReadyForMs: number | undefined;
  /** How long there has been no connection and no attempt to make one; `undefined` while there is one. */
  readonly stuckForMs: number | undefined;
  /** Longest lag of the event loop in the last seconds. */
  readonly loopLagMs: number;
  /** Origins that cannot be reached: only probes are sent to them. */
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

export function createVitals(clock: Clock, loopLagMs: () => number) {
  let parts: ConnectingParts | undefined;
  let phase: BotPhase = 'starting';
  let lostAtMs: number | undefined = clock.monotonic();
  let triedAtMs = clock.monotonic();
  let readyAtMs: number | undefined;
  let closedBy: string | undefined;

  /** Returns the health of the gateway; of one without a socket only its status is known. */
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
    /** Called when the bot takes no more commands. */
    closing() {
      if (phase !== 'closed') phase = 'closing';
    },
    read: (): Vitals => ({
      ...gatewayHealth(),
      phase,
      closedBy,
      notReadyForMs: lostAtMs === undefined ? undefined : clock.monotonic() - lostAtMs,
      stuckForMs: lostAtMs === undefined ? undefined : Math.max(0, clock.monotonic() - triedAtMs),
      loopLagMs: loopLagMs(),
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

const isSocketGateway = (gateway: GatewayPort): gateway is Gateway => 'health' in gateway;

/** Longest time without a connection and without an attempt to connect, in milliseconds. */
const MAX_STUCK_MS = 120_000;
/** A heartbeat is answered within this, or the gateway itself replaces the connection, in milliseconds. */
const ACK_GRACE_MS = 10_000;

/**
 * Judges a bot for a supervisor, which restarts what is not healthy: with the reasons, one line each. The lag of the event
 * loop is none of them: a loop that is blocked answers nothing, and one that answers has recovered.
 */
export function judgeVitals(vitals: Vitals) {
  const { phase, stuckForMs, readyAgeMs, ackAgeMs, heartbeatMs } = vitals;
  const reasons: string[] = [];
  if (phase === 'closed') reasons.push(vitals.closedBy ?? 'the connection was closed permanently');
  else if (stuckForMs !== undefined && stuckForMs >= MAX_STUCK_MS) {
    reasons.push(`no connection and no attempt to connect for ${seconds(stuckForMs)}`);
  }
  const silentForMs = ackAgeMs ?? readyAgeMs;
  if (silentForMs !== undefined && heartbeatMs !== undefined) {
    const allowedMs = 2 * heartbeatMs + ACK_GRACE_MS;
    if (silentForMs > allowedMs) {
      reasons.push(`no heartbeat was answered for ${seconds(silentForMs)}`);
    }
  }
  return {
    healthy: reasons.length === 0,
    /** Whether it can receive commands and answer them now. */
    ready: phase === 'running' && vitals.isReady && vitals.openBreakers.length === 0,
    reasons,
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
