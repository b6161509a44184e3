import type { ExchangeResult } from '../http/exchange.js';
import type { LimitOutcome } from '../limits/limiter.js';
import { UNSENT } from '../schedule/ticket.js';
import type { Verdict } from './judge.js';
import { limitJitterMs } from './retry-policy.js';

/** What one exchange says about limits. */
export function limitOutcome(
  result: ExchangeResult,
  verdict: Verdict,
  random: () => number,
): LimitOutcome {
  if (result.status === undefined) {
    return result.kind === 'failure' && result.phase === 'connecting' ? UNSENT : { kind: 'lost' };
  }
  const headers = result.headers ?? {};
  if (verdict.kind !== 'limited') return { kind: 'accepted', headers };
  const { retryAfterMs, stated } = verdict;
  return { kind: 'limited', headers, retryAfterMs, stated, jitterMs: limitJitterMs(random) };
}

/** What one exchange says about the network: a deadline or an abort of the caller's own is no fault. */
export function networkOutcome(result: ExchangeResult): 'answered' | 'fault' | 'unknown' {
  if (result.kind === 'answer' || result.status !== undefined) return 'answered';
  return result.why === 'fault' || result.why === 'limit' ? 'fault' : 'unknown';
}
