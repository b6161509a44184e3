import { raceAbort } from '@virgule/core/abort';
import { settlesWithin } from '@virgule/core/clock';
import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import { isHtml } from '../request/outcome.js';
import { statedWaitMs } from '../request/stated-limits.js';
import type { ResolvedGatewayOptions, TokenState } from './gateway-options.js';
import type { GatewayGap } from './port.js';
import type { Moment } from './session.js';
import type { RefusedUpgrade } from './socket-port.js';

/** Reason for the end of a connection. */
export interface SessionEnding {
  /** Text for people: "closed with code 1006", "no answer to a heartbeat in 10000 ms". */
  readonly reason: string;
  /** Meaning for the token: none, possibly refused (to be checked), or refused according to the code (assumed). */
  readonly refusesToken: 'no' | 'maybe' | 'likely';
  /** Wait that the server asks for before the next attempt, in milliseconds; 0 for none. */
  readonly retryAfterMs: number;
  /** Close code, or status of a refused upgrade; `undefined` without both. */
  readonly code?: number | undefined;
  /** Set if a newer connection may have replaced a READY connection; `said` if the close reason suggests it (assumed). */
  readonly isReplacement?: 'said' | 'maybe' | undefined;
}

/** Explanation of connections that are replaced again and again. */
export const REPLACED_AGAIN =
  'another process probably uses this token (assumed), and the two processes replace the connections of each other: if so, stop one of them';

/** Words of a close reason about another connection. */
const REPLACED = /replac|another|duplicate|elsewhere|supersed|newer|conflict|already/i;

/** Maximum wait that a server can ask for, in milliseconds; any status but 429 (`limited`) only estimates an outage. */
const RETRY_AFTER_CAP_MS = { limited: 300_000, other: 54_000 };

const POLICY_VIOLATION = 1008;
const FIRST_OWN_CODE = 4000;
const AUTHENTICATION_CODES: readonly number[] = [4001, 4004];

/** Returns the ending of a lost connection, without a meaning for the token. */
export function lost(reason: string): SessionEnding {
  return { reason, refusesToken: 'no', retryAfterMs: 0 };
}

/** Returns the ending of a connection whose upgrade was refused. */
export function upgradeRefused({ statusCode = 0, headers }: RefusedUpgrade): SessionEnding {
  // An HTML page does not come from the platform.
  const isRefusal = statusCode === 401 && !isHtml(headers['content-type']);
  const capMs = RETRY_AFTER_CAP_MS[statusCode === 429 ? 'limited' : 'other'];
  return {
    reason: `the upgrade was answered ${statusCode}`,
    refusesToken: isRefusal ? 'likely' : statusCode === 401 || statusCode === 403 ? 'maybe' : 'no',
    retryAfterMs: Math.min(statedWaitMs(headers['retry-after'], headers['date']) ?? 0, capMs),
    code: statusCode,
  };
}

/**
 * Returns the ending of a closed socket. No close codes are stated: only 1008 and 4000 to 4999 concern this bot, before
 * READY its token, after READY another connection.
 */
export function closed(code: number, text: string, wasReady: boolean): SessionEnding {
  const reason = text === '' ? `closed with code ${code}` : `closed with code ${code} "${text}"`;
  const isDeliberate = code === POLICY_VIOLATION || code >= FIRST_OWN_CODE;
  if (wasReady) {
    const isReplacement = isDeliberate ? (REPLACED.test(text) ? 'said' : 'maybe') : undefined;
    return { ...lost(reason), code, isReplacement };
  }
  const refusesToken = AUTHENTICATION_CODES.includes(code)
    ? 'likely'
    : isDeliberate
      ? 'maybe'
      : 'no';
  return { reason, refusesToken, retryAfterMs: 0, code };
}

/** Time limit of `checkToken` in milliseconds, after which its result counts as `unknown`. */
const CHECK_TOKEN_MS = 30_000;

/** Resolves to true if the token was refused. Calls `checkToken` after a doubtful ending. Never rejects. */
export async function isTokenRefused(
  { refusesToken, reason }: SessionEnding,
  { checkToken, clock, log }: ResolvedGatewayOptions,
  stop: AbortSignal,
): Promise<boolean> {
  if (!checkToken) return refusesToken === 'likely';
  log.warn({ reason }, 'the gateway may have refused the bot token; checking it');
  let answer: TokenState = 'unknown';
  const check = async (): Promise<void> => void (answer = await checkToken());
  const checking = check().catch((error: unknown) =>
    log.warn({ error }, 'the bot token could not be checked'),
  );
  await settlesWithin(raceAbort(checking, stop), CHECK_TOKEN_MS, clock);
  // The compiler cannot see the assignment in `check`.
  return (answer as TokenState) === 'refused';
}

export interface Loss {
  /** Time of the last frame of the lost connection. */
  readonly lastArrivalAt: Moment;
  readonly reason: string;
}

/** Returns the gap from a loss to now. Without `intents` the bot receives all events. */
export function gapSince(
  { lastArrivalAt: last, reason }: Loss,
  now: Moment,
  intents: readonly Intent[] | undefined,
  readsBack: boolean,
): GatewayGap {
  const ms = Math.max(now.monotonicMs - last.monotonicMs, now.wallMs - last.wallMs);
  const isLost = (name: EventName): boolean =>
    !(readsBack && name === 'MESSAGE_CREATE') && (intents?.includes(EVENTS[name].intent) ?? true);
  return {
    from: new Date(last.wallMs).toISOString(),
    to: new Date(now.wallMs).toISOString(),
    ms: Math.round(ms),
    reason,
    unrecoverable: (Object.keys(EVENTS) as EventName[]).filter(isLost),
  };
}
