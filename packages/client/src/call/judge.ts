import type { VirguleError } from '@virgule/core/errors';
import { RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { CallPhase } from '../errors/error-details.js';
import type { ExchangeFailure, ExchangeResult } from '../http/exchange.js';
import type { HttpHeaders } from '../http/http-dispatcher.js';
import { isWaitStated, retryAfterMs, statedRetryAfterMs } from '../timing/retry-after.js';
import type { CallScope } from './call-scope.js';
import { readRefusal } from './read-refusal.js';
import { isRepeatHarmless } from './retry-policy.js';

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

export function judge(result: ExchangeResult, scope: CallScope, token: string): Verdict {
  if (result.kind === 'answer') {
    return judgeAnswer(result.status, result.headers, result.body, scope, token);
  }
  if (result.why === 'interrupted') {
    return { kind: 'failed', error: interruptionError(scope, result.phase, isSent(result, scope)) };
  }
  const { status } = result;
  if (status !== undefined && result.why !== 'too large') {
    // The status line came and says what became of the request; only the body is lost.
    if (!isSuccess(status)) {
      return judgeAnswer(status, result.headers ?? {}, new Uint8Array(), scope, token);
    }
    if (!scope.plan.needsBody) return { kind: 'accepted', status, body: undefined };
  }
  return judgeFailure(result, scope);
}

function judgeAnswer(
  status: number,
  headers: HttpHeaders,
  body: Uint8Array,
  scope: CallScope,
  token: string,
): Verdict {
  const { plan } = scope;
  const { date } = headers;
  if (isSuccess(status)) {
    if (typeof date === 'string') scope.serverDate = date;
    return { kind: 'accepted', status, body };
  }
  if (status < 400) {
    const reason = 'a redirect, which is not followed because the token would go along';
    return failed(clientErrors.E_BAD_RESPONSE({ ...scope.facts(), status, reason }));
  }
  const refusal = readRefusal(body, token);
  const { requestId } = refusal;
  if (status === 401 && plan.carriesToken) {
    return { kind: 'unauthorized', answer: `${plan.route} answered 401`, requestId };
  }
  const retryAfter = headers[RATE_LIMIT_HEADERS.retryAfterSeconds];
  if (status === 429) {
    const waitMs = retryAfterMs(retryAfter, refusal.retryAfterSeconds, date);
    const stated = isWaitStated(retryAfter, refusal.retryAfterSeconds, date);
    return { kind: 'limited', retryAfterMs: waitMs, stated, requestId };
  }
  if (scope.maybeSent && plan.doneBefore(status, refusal.code)) {
    return { kind: 'accepted', status, body: undefined };
  }
  const facts = scope.facts(requestId);
  const refused = {
    ...facts,
    status,
    apiCode: refusal.code,
    apiMessage: refusal.message,
    field: refusal.field,
  };
  // A server that waited in vain for the request (408) may have been sent only a part of it.
  const isFault = status >= 500 || (status === 408 && isRepeatHarmless(plan.retry));
  if (!isFault) return failed(clientErrors.E_API_REFUSED(refused));
  return {
    kind: 'fault',
    maybeSent: true,
    status,
    afterMs: statedRetryAfterMs(retryAfter, date),
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

function judgeFailure(result: ExchangeFailure, scope: CallScope): Verdict {
  const { phase, why, error: cause } = result;
  const { plan } = scope;
  const facts = scope.facts();
  const maybeSent = isSent(result, scope);
  const repeatIsHarmless = isRepeatHarmless(plan.retry);
  if (why === 'too large') {
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
    return failed(scope.unreachable === undefined ? timeout() : unreachable(scope.unreachable));
  }
  if (phase === 'connecting') scope.unreachable = reasonOf(cause);
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
export function interruptionError(
  scope: CallScope,
  phase: CallPhase,
  maybeSent: boolean,
): VirguleError {
  const { interruption, plan } = scope;
  if (interruption?.why === 'aborted') {
    const details = { ...scope.facts(), phase, maybeSent };
    return clientErrors.E_ABORTED(details, { cause: interruption.reason });
  }
  return maybeSent && !isRepeatHarmless(plan.retry)
    ? clientErrors.E_OUTCOME_UNKNOWN({ ...scope.facts(), phase, repeatIsHarmless: false })
    : clientErrors.E_SHUTTING_DOWN(scope.facts());
}

function isSent(result: ExchangeFailure, scope: CallScope): boolean {
  return scope.maybeSent || result.phase !== 'connecting';
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
