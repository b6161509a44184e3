import type { VirguleError } from '@virgule/core/errors';
import { RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { CallPhase } from '../errors/error-details.js';
import type { Call } from './call.js';
import type { ExchangeFailure, ExchangeResult } from './exchange.js';
import type { HttpHeaders } from './http-dispatcher.js';
import type { LimitOutcome } from './rate-limits.js';
import { readRefusal } from './refusal.js';
import { isRepeatHarmless, limitJitterMs } from './retry.js';
import { limitWaitMs, statedWaitMs } from './retry-after.js';
import { UNSENT, type Refusal, type Ticket } from './ticket.js';

/** What one exchange means for its call. */
export type Verdict =
  /** Done. `body` is absent when it was lost after a status that says the request was accepted. */
  | { readonly kind: 'accepted'; readonly status: number; readonly body: Uint8Array | undefined }
  /** The bucket has to be left alone. */
  | {
      readonly kind: 'limited';
      readonly retryAfterMs: number;
      /** Whether the answer stated it; otherwise it is a default. */
      readonly stated: boolean;
      readonly requestId: string;
    }
  /** Another try may fix it, not before `afterMs`; if there is none, the call ends with `error`. */
  | {
      readonly kind: 'fault';
      readonly maybeSent: boolean;
      /** Status of the answer, when there was one. */
      readonly status?: number | undefined;
      readonly afterMs: number;
      readonly error: VirguleError;
    }
  /** The token is not valid. */
  | { readonly kind: 'unauthorized'; readonly answer: string; readonly requestId: string }
  | { readonly kind: 'failed'; readonly error: VirguleError };

export function judge(result: ExchangeResult, call: Call, token: string): Verdict {
  if (result.kind === 'answer') {
    return judgeAnswer(result.status, result.headers, result.body, call, token);
  }
  if (result.why === 'interrupted') {
    return { kind: 'failed', error: interruptionError(call, result.phase, isSent(result, call)) };
  }
  const { status } = result;
  if (status !== undefined && result.why !== 'too-large') {
    // The status line came and states the outcome of the request; only the body is lost.
    if (!isSuccess(status)) {
      return judgeAnswer(status, result.headers ?? {}, new Uint8Array(), call, token);
    }
    if (!call.plan.needsBody) return { kind: 'accepted', status, body: undefined };
  }
  return judgeFailure(result, call);
}

function judgeAnswer(
  status: number,
  headers: HttpHeaders,
  body: Uint8Array,
  call: Call,
  token: string,
): Verdict {
  const { plan } = call;
  const { date } = headers;
  if (isSuccess(status)) return { kind: 'accepted', status, body };
  if (status < 400) {
    const reason = 'a redirect, which is not followed because it would forward the token';
    return failed(clientErrors.E_BAD_RESPONSE({ ...call.facts(), status, reason }));
  }
  const refusal = readRefusal(body, token);
  const { requestId } = refusal;
  if (status === 401 && plan.carriesToken) {
    return { kind: 'unauthorized', answer: `${plan.route} answered 401`, requestId };
  }
  const retryAfter = headers[RATE_LIMIT_HEADERS.retryAfterSeconds];
  if (status === 429) {
    const statedMs = statedWaitMs(retryAfter, date, refusal.retryAfterSeconds);
    const stated = statedMs !== undefined;
    return { kind: 'limited', retryAfterMs: limitWaitMs(statedMs), stated, requestId };
  }
  if (call.maybeSent && plan.doneBefore(status, refusal.code)) {
    return { kind: 'accepted', status, body: undefined };
  }
  const facts = call.facts(requestId);
  const refused = {
    ...facts,
    status,
    apiCode: refusal.code,
    apiMessage: refusal.message,
    field: refusal.field,
  };
  // A server that responds 408 may have received only a part of the request.
  const isFault = status >= 500 || (status === 408 && isRepeatHarmless(plan.retry));
  if (!isFault) return failed(clientErrors.E_API_REFUSED(refused));
  return {
    kind: 'fault',
    maybeSent: true,
    status,
    afterMs: statedWaitMs(retryAfter, date) ?? 0,
    error: isRepeatHarmless(plan.retry)
      ? clientErrors.E_API_REFUSED(refused)
      : clientErrors.E_OUTCOME_UNKNOWN({
          ...facts,
          phase: 'body',
          status,
          repeatIsHarmless: false,
        }),
  };
}

function judgeFailure(result: ExchangeFailure, call: Call): Verdict {
  const { phase, why, error: cause } = result;
  const { plan } = call;
  const facts = call.facts();
  const maybeSent = isSent(result, call);
  const repeatIsHarmless = isRepeatHarmless(plan.retry);
  if (why === 'too-large') {
    const reason = 'an answer above 16 MiB';
    return failed(
      clientErrors.E_BAD_RESPONSE({ ...facts, status: result.status ?? 0, reason }, { cause }),
    );
  }
  const unknown = (): VirguleError =>
    clientErrors.E_OUTCOME_UNKNOWN({ ...facts, phase, repeatIsHarmless }, { cause });
  const timeout = (): VirguleError => clientErrors.E_TIMEOUT({ ...facts, phase, maybeSent });

  const unreachable = (reason: string): VirguleError =>
    clientErrors.E_UNREACHABLE({ ...facts, phase, address: plan.origin, reason }, { cause });

  if (why === 'deadline' || why === 'stalled') {
    if (maybeSent) return failed(repeatIsHarmless ? timeout() : unknown());
    return failed(call.unreachable === undefined ? timeout() : unreachable(call.unreachable));
  }
  if (phase === 'connecting') call.unreachable = reasonOf(cause);
  // Whether a read took effect is no question: all that matters is that there is no answer.
  const isLost = !maybeSent || (why === 'fault' && plan.retry === 'safe');
  const error = isLost
    ? unreachable(reasonOf(cause))
    : why === 'limit' && repeatIsHarmless
      ? timeout()
      : unknown();
  return { kind: 'fault', maybeSent: phase !== 'connecting', afterMs: 0, error };
}

/** The error of a call that was ended from outside. */
export function interruptionError(call: Call, phase: CallPhase, maybeSent: boolean): VirguleError {
  const { interruption, plan } = call;
  if (interruption?.why === 'aborted') {
    const details = { ...call.facts(), phase, maybeSent };
    return clientErrors.E_ABORTED(details, { cause: interruption.reason });
  }
  return maybeSent && !isRepeatHarmless(plan.retry)
    ? clientErrors.E_OUTCOME_UNKNOWN({ ...call.facts(), phase, repeatIsHarmless: false })
    : clientErrors.E_SHUTTING_DOWN(call.facts());
}

function isSent(result: ExchangeFailure, call: Call): boolean {
  return call.maybeSent || result.phase !== 'connecting';
}

function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  return typeof error?.code === 'string' ? error.code : (error?.message ?? 'no connection');
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function failed(error: VirguleError): Verdict {
  return { kind: 'failed', error };
}

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

/** The error of a call that was not let through. */
export function refusalError(refusal: Refusal, call: Call, ticket: Ticket): VirguleError {
  const facts = call.facts();
  const { maybeSent, plan } = call;
  switch (refusal.why) {
    case 'limited':
      return clientErrors.E_RATE_LIMITED({ ...facts, retryAfterMs: refusal.retryAfterMs });
    case 'unreachable':
      // An earlier try may have arrived: "not sent" would not be true.
      return maybeSent
        ? clientErrors.E_TIMEOUT({ ...facts, phase: 'waiting', maybeSent })
        : clientErrors.E_UNREACHABLE({
            ...facts,
            phase: 'connecting',
            address: plan.origin,
            reason: 'many requests in a row failed on the way',
          });
    case 'late':
      return clientErrors.E_TIMEOUT({ ...facts, phase: 'waiting', maybeSent });
    case 'queue-full':
    case 'too-many-refusals':
      return clientErrors.E_OVERLOADED({
        ...facts,
        reason: refusal.why,
        priority: ticket.priority,
        maybeSent,
      });
  }
}

/**
 * `X-RateLimit-Limit` of a 429, or `undefined` when it is not a whole number of 1 or more. The other
 * two headers are not read: `Retry-After` suffices, and the unit of `X-RateLimit-Reset` is not stated.
 */
export function statedLimit(headers: HttpHeaders): number | undefined {
  const value = headers[RATE_LIMIT_HEADERS.limit];
  const text = typeof value === 'string' ? value : value?.[0];
  const limit = text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : 0;
  return limit === 0 ? undefined : limit;
}
