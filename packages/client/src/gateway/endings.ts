import { raceAbort } from '@virgule/core/abort';
import { settlesWithin } from '@virgule/core/clock';
import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import { isHtml } from '../request/outcome.js';
import { statedWaitMs } from '../request/retry.js';
import type { ResolvedGatewayOptions, TokenState } from './gateway-options.js';
import type { GatewayGap } from './port.js';
import type { Moment } from './session.js';
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
  /** Whether a connection that was READY may have ended in favor of a newer one; `said`: its reason says so (assumed). */
  readonly isReplacement?: 'said' | 'maybe' | undefined;
}

/** What it means that connections are replaced again and again. */
export const REPLACED_AGAIN =
  'another process probably uses this token (assumed), and each replaces the connection of the other: if so, stop one of them';

/** Words of a close reason about another connection. */
const REPLACED = /replac|another|duplicate|elsewhere|supersed|newer|conflict|already/i;

/**
 * The longest wait before the next attempt that a server can ask for, in milliseconds. Only a 429 is about this client;
 * with any other status, the time is an estimate of how long an outage lasts, and a bot that believed it would outlast it.
 */
const RETRY_AFTER_CAP_MS = { limited: 300_000, other: 60_000 };

const POLICY_VIOLATION = 1008;
const FIRST_OWN_CODE = 4000;
const AUTHENTICATION_CODES: readonly number[] = [4001, 4004];

/** A connection that was lost, with nothing said about the token. */
export function lost(reason: string): SessionEnding {
  return { reason, refusesToken: 'no', retryAfterMs: 0 };
}

/** The upgrade was answered with something else. */
export function upgradeRefused({ statusCode = 0, headers }: RefusedUpgrade): SessionEnding {
  // A page is not of the platform.
  const isRefusal = statusCode === 401 && !isHtml(headers);
  return {
    reason: `the upgrade was answered ${statusCode}`,
    refusesToken: isRefusal ? 'likely' : statusCode === 401 || statusCode === 403 ? 'maybe' : 'no',
    retryAfterMs: Math.min(
      statedWaitMs(headers['retry-after'], headers['date']) ?? 0,
      statusCode === 429 ? RETRY_AFTER_CAP_MS.limited : RETRY_AFTER_CAP_MS.other,
    ),
    code: statusCode,
  };
}

/**
 * The socket closed. No close code is stated in the Bot Interface, so they are read by class: only 1008 and the
 * platform's own (4000 to 4999) are about this bot, before READY about its token, and after it about another connection.
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

/** How long `checkToken` may take before its answer counts as unknown, in milliseconds. */
const CHECK_TOKEN_MS = 30_000;

/** Whether the bot may not come back after an ending that leaves a doubt: asks `checkToken`. Never rejects. */
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
  // It was assigned meanwhile, which the compiler cannot see.
  return (answer as TokenState) === 'refused';
}

export interface Loss {
  /** The last moment at which something came in over it. */
  readonly lastArrivalAt: Moment;
  readonly reason: string;
}

/** Returns the time from a loss to now, in which nothing was delivered. Without `intents` the bot gets all events. */
export function gapSince(
  { lastArrivalAt, reason }: Loss,
  now: Moment,
  intents: readonly Intent[] | undefined,
  readsBack: boolean,
): GatewayGap {
  const ms = Math.max(
    now.monotonicMs - lastArrivalAt.monotonicMs,
    now.wallMs - lastArrivalAt.wallMs,
  );
  const isLost = (name: EventName): boolean =>
    !(readsBack && name === 'MESSAGE_CREATE') && (intents?.includes(EVENTS[name].intent) ?? true);
  return {
    from: new Date(lastArrivalAt.wallMs).toISOString(),
    to: new Date(now.wallMs).toISOString(),
    ms: Math.round(ms),
    reason,
    unrecoverable: (Object.keys(EVENTS) as EventName[]).filter(isLost),
  };
}
