import type { Vitals } from './vitals.js';

/** Whether a bot is healthy, and why not. */
export interface HealthVerdict {
  /** Whether a restart would not help. */
  readonly healthy: boolean;
  /** Whether it can receive commands and answer them now. */
  readonly ready: boolean;
  /** The problems, one line each; empty if it is healthy. */
  readonly reasons: readonly string[];
}

/** Longest time without a connection and without an attempt to connect, in milliseconds. */
const MAX_STUCK_MS = 120_000;
/** A loop that is this late makes users wait, in milliseconds. */
const MAX_LOOP_LAG_MS = 1_000;
/** A heartbeat is answered within this, or the gateway itself replaces the connection, in milliseconds. */
const ACK_GRACE_MS = 10_000;

/** Judges a bot for a supervisor, which restarts what is not healthy. */
export function judgeVitals(vitals: Vitals): HealthVerdict {
  const { phase, stuckForMs, readyAgeMs, ackAgeMs, heartbeatMs, loopLagMs } = vitals;
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
  if (loopLagMs >= MAX_LOOP_LAG_MS)
    reasons.push(`the event loop was ${Math.round(loopLagMs)} ms late`);
  return {
    healthy: reasons.length === 0,
    ready: phase === 'running' && vitals.isReady && vitals.openBreakers.length === 0,
    reasons,
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
