import { statedWaitMs } from '../request/retry.js';
import type { RefusedUpgrade } from './socket-port.js';

/** Why a connection ended. */
export interface SessionEnding {
  /** For people: "closed with code 1006", "no answer to a heartbeat in 10000 ms". */
  readonly reason: string;
  /**
   * What it says about the token: nothing (`no`), that it may be refused (`maybe`: ask), or that it
   * is, as far as a code can say without asking (`likely`; which codes mean it is assumed).
   */
  readonly refusesToken: 'no' | 'maybe' | 'likely';
  /** What the server asks for before the next attempt, in milliseconds; 0 when it asks for nothing. */
  readonly retryAfterMs: number;
  /** The close code or the status of a refused upgrade, when there was one. */
  readonly code?: number | undefined;
}

/** The longest wait before the next attempt that a server can ask for, in milliseconds. */
const RETRY_AFTER_CAP_MS = 300_000;

const POLICY_VIOLATION = 1008;
const FIRST_OWN_CODE = 4000;
const AUTHENTICATION_CODES: readonly number[] = [4001, 4004];

/** A connection that was lost, with nothing said about the token. */
export function lost(reason: string): SessionEnding {
  return { reason, refusesToken: 'no', retryAfterMs: 0 };
}

/** The upgrade was answered with something else. */
export function upgradeRefused({ statusCode = 0, headers }: RefusedUpgrade): SessionEnding {
  return {
    reason: `the upgrade was answered ${statusCode}`,
    refusesToken: statusCode === 401 ? 'likely' : statusCode === 403 ? 'maybe' : 'no',
    retryAfterMs: Math.min(
      statedWaitMs(headers['retry-after'], headers['date']) ?? 0,
      RETRY_AFTER_CAP_MS,
    ),
    code: statusCode,
  };
}

/**
 * The socket closed. No close code is stated in the Bot Interface, so they are read by class: only
 * before READY can one be about the token, and then only 1008 and the platform's own (4000 to 4999).
 */
export function closed(code: number, text: string, wasReady: boolean): SessionEnding {
  const reason = text === '' ? `closed with code ${code}` : `closed with code ${code} "${text}"`;
  if (wasReady) return { ...lost(reason), code };
  const refusesToken = AUTHENTICATION_CODES.includes(code)
    ? 'likely'
    : code === POLICY_VIOLATION || code >= FIRST_OWN_CODE
      ? 'maybe'
      : 'no';
  return { reason, refusesToken, retryAfterMs: 0, code };
}
