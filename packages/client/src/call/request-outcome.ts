import type { ExchangeResult } from '../http/exchange.js';
import type { LimitOutcome } from '../limits/limiter.js';
import { statedLimit } from '../limits/stated-limit.js';
import { UNSENT } from '../schedule/ticket.js';
import type { Verdict } from './judge.js';
import { limitJitterMs } from './retry-policy.js';

const ACCEPTED: LimitOutcome = { kind: 'accepted' };

/** What one exchange says about limits. */
export function limitOutcome(
  result: ExchangeResult,
  verdict: Verdict,
  random: () => number,
): LimitOutcome {
  if (result.status === undefined) {
    return result.kind === 'failure' && result.phase === 'connecting' ? UNSENT : { kind: 'lost' };
  }
  if (verdict.kind !== 'limited') return ACCEPTED;
  const { retryAfterMs, stated } = verdict;
  const jitterMs = limitJitterMs(retryAfterMs, random);
  return {
    kind: 'limited',
    limit: statedLimit(result.headers ?? {}),
    retryAfterMs,
    stated,
    jitterMs,
  };
}

/** What one exchange says about the network: a deadline or an abort of the caller's own is no fault. */
export function networkOutcome(result: ExchangeResult): 'answered' | 'fault' | 'unknown' {
  if (result.kind === 'answer' || result.status !== undefined) return 'answered';
  const { why } = result;
  return why === 'fault' || why === 'limit' || why === 'stalled' ? 'fault' : 'unknown';
}
