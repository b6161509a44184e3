import type { VirguleError } from '@virgule/core/errors';
import { apiErrorBodySchema, type RetryClass } from '@virgule/core/protocol';
import { type CallPhase, clientErrors } from '../errors/client-errors.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { LimitOutcome } from './bucket.js';
import type { Call, Refusal } from './call.js';
import type { ExchangeResult } from './exchange.js';
import type { NetworkOutcome } from './circuit-breaker.js';
import { askedWaitMs, limitHeaders, readLimit } from './stated-limits.js';
import { redact } from './token.js';

/** Answer of a server in front of the platform, in place of the platform. */
type ForeignAnswer = 'an HTML page' | 'text instead of JSON' | 'a redirect';

/** Meaning of an exchange for its call. */
export type Verdict =
  /** The request succeeded. `body` is `undefined` if it was lost after a successful status. */
  | {
      readonly kind: 'accepted';
      readonly status: number;
      readonly body: Uint8Array | undefined;
      readonly call: Call;
    }
  | (Extract<LimitOutcome, { kind: 'limited' }> & { readonly requestId: string })
  /** Another try may succeed after `afterMs` milliseconds; without another try, the call ends with `error`. */
  | {
      readonly kind: 'fault';
      readonly maybeSent: boolean;
      readonly afterMs: number;
      /** Set during an outage of the platform: a request that is harmless to repeat is tried until the deadline. */
      readonly isAway: boolean;
      /** Answer of a server in front of the platform: a page, a text or a redirect (`foreign`), or a `status` such as 502. */
      readonly outage?: 'foreign' | 'status' | undefined;
      /** Set if this machine has no file descriptor for another connection. */
      readonly isFull?: boolean | undefined;
      readonly error: VirguleError;
    }
  | { readonly kind: 'unauthorized'; readonly answer: string; readonly requestId: string }
  | { readonly kind: 'failed'; readonly error: VirguleError };

/** Meaning of the end of a request for later requests. */
export interface RequestEnd {
  readonly limit: LimitOutcome;
  readonly network: NetworkOutcome;
  readonly isFull?: true;
}

/** Options of the client; the token is removed from errors. */
type JudgeOptions = Pick<RestSettings, 'token' | 'random' | 'onBody'>;

/** Maximum length of a string in an error: a whole page in a field would flood a log. */
const MAX_TEXT_LENGTH = 500;

export function judge(result: ExchangeResult, call: Call, options: JudgeOptions): Verdict {
  const { why, phase, status, body } = result;
  if (why === 'interrupted') return failed(interruptionError(call, phase, isSent(result, call)));
  if (status === undefined) return judgeFailure(result, call);
  const answeredWith = foreignAnswer(status, result, call);
  if (answeredWith) return judgeForeign(status, answeredWith, result, call, options);
  // The status line states the outcome of the request, even where the body is lost.
  if (status < 200 || status >= 300) return judgeRefusal(status, result, call, options);
  if (why === 'answered') return { kind: 'accepted', status, body, call };
  if (!call.plan.needsBody) return { kind: 'accepted', status, body: undefined, call };
  return judgeFailure(result, call);
}

/**
 * Returns the kind of an answer that is not the platform's: a redirect, HTML by its type or first character, or a 404 that is
 * not JSON, as of a proxy whose route is missing. A 429 is never foreign, because the request was not carried out. Storages may
 * answer anything.
 */
function foreignAnswer(status: number, result: ExchangeResult, { plan }: Call) {
  if (plan.lane === 'upload' || status === 429) return undefined;
  if (status >= 300 && status < 400) return 'a redirect';
  const { why, body } = result;
  if (body.byteLength === 0 && why === 'answered') return undefined;
  if (isHtml(result.header('content-type')) || beginsWithTag(body)) return 'an HTML page';
  const isText = status === 404 && why === 'answered' && parseJson(body).reason !== undefined;
  return isText ? 'text instead of JSON' : undefined;
}

/** Returns true for the content type of HTML. */
export const isHtml = (contentType: unknown): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(String(contentType));

/** Returns true if a body begins with `<`, after white space and a byte order mark. */
function beginsWithTag(body: Uint8Array): boolean {
  // Nearly all answers are objects.
  return body[0] !== 0x7b && /^\uFEFF?[ \t\r\n]*</.test(textOf(body));
}

/** Judges a foreign answer, after which the outcome of the request is unknown, whatever the status. */
function judgeForeign(
  status: number,
  answeredWith: ForeignAnswer,
  result: ExchangeResult,
  call: Call,
  { random }: JudgeOptions,
): Verdict {
  const { retry, origin: address } = call.plan;
  const answer = { ...call.facts(), phase: 'body', status, answeredWith } as const;
  const reason = `${answeredWith} with status ${status}`;
  const error =
    retry === 'safe'
      ? clientErrors.E_UNREACHABLE({ ...answer, address, reason })
      : clientErrors.E_OUTCOME_UNKNOWN({ ...answer, repeatIsHarmless: isRepeatHarmless(retry) });
  const afterMs = askedWaitMs(result, random);
  return { kind: 'fault', maybeSent: true, afterMs, isAway: true, outage: 'foreign', error };
}

function judgeRefusal(
  status: number,
  result: ExchangeResult,
  call: Call,
  { token, random, onBody }: JudgeOptions,
): Verdict {
  const { plan } = call;
  if (status < 400) {
    const reason = 'a redirect, which is not followed because it is not the address of the session';
    return failed(clientErrors.E_BAD_RESPONSE({ ...call.facts(), status, reason }));
  }
  // Missing and invalid fields of the body count as empty.
  const { data } = apiErrorBodySchema.safeParse(parseJson(result.body).parsed);
  const clean = (text = ''): string => redact(text, token).slice(0, MAX_TEXT_LENGTH);
  const requestId = clean(data?.requestId);
  if (status === 401 && plan.lane !== 'upload')
    return { kind: 'unauthorized', answer: `${plan.route} answered 401`, requestId };
  if (status === 429) {
    const limit = readLimit(result, data?.details['retryAfterSeconds'], random);
    onBody?.('rateLimit', limitHeaders(result));
    return { kind: 'limited', ...limit, requestId };
  }
  const apiCode = clean(data?.code);
  onBody?.(`error ${apiCode}`, { status });
  if (call.maybeSent && plan.doneBefore(status, apiCode))
    return { kind: 'accepted', status, body: undefined, call };
  const field = data?.details['field'];
  const refused = {
    ...call.facts(requestId),
    status,
    apiCode,
    apiMessage: clean(data?.message),
    field: typeof field === 'string' ? clean(field) : undefined,
  };
  const repeatIsHarmless = isRepeatHarmless(plan.retry);
  // A server that responds 408 may have received all of the request.
  const isFault = status >= 500 || status === 408;
  if (!isFault) return failed(clientErrors.E_API_REFUSED(refused));
  const unknown = { ...call.facts(requestId), phase: 'body', status, repeatIsHarmless } as const;
  const afterMs = askedWaitMs(result, random);
  const error = repeatIsHarmless
    ? clientErrors.E_API_REFUSED({ ...refused, retryAfterMs: afterMs || undefined })
    : clientErrors.E_OUTCOME_UNKNOWN(unknown);
  // An answer with an error code comes from the platform itself.
  const outage = status >= 500 && apiCode === '' ? 'status' : undefined;
  const isAway = outage !== undefined || status === 502 || status === 503;
  return { kind: 'fault', maybeSent: true, afterMs, isAway, outage, error };
}

function judgeFailure(result: ExchangeResult, call: Call): Verdict {
  const { phase, why, error: cause } = result;
  // The parser of undici attaches unreadable data, and a peer that echoes the request echoes the token.
  if (cause) Reflect.deleteProperty(cause, 'data');
  const { plan } = call;
  const facts = call.facts();
  const maybeSent = isSent(result, call);
  const repeatIsHarmless = isRepeatHarmless(plan.retry);
  if (why === 'too-large') {
    const details = { ...facts, status: result.status ?? 0, reason: 'an answer above 16 MiB' };
    return failed(clientErrors.E_BAD_RESPONSE(details, { cause }));
  }
  const unknown = (): VirguleError =>
    clientErrors.E_OUTCOME_UNKNOWN({ ...facts, phase, repeatIsHarmless }, { cause });
  const timeout = (): VirguleError => clientErrors.E_TIMEOUT({ ...facts, phase, maybeSent });
  const unreachable = (reason: string): VirguleError =>
    clientErrors.E_UNREACHABLE({ ...facts, phase, address: plan.origin, reason }, { cause });

  if (why === 'deadline' || why === 'stalled')
    return failed(maybeSent && !repeatIsHarmless ? unknown() : (call.lastFault ?? timeout()));
  const isUnsent = phase === 'connecting';
  const isFull = isUnsent && /^E[MN]FILE$/.test(reasonOf(cause));
  // A read has no effect, so a lost answer means only that the server was unreachable.
  const isLost = !maybeSent || (why === 'fault' && plan.retry === 'safe');
  const error = isLost
    ? unreachable(reasonOf(cause))
    : why === 'limit' && repeatIsHarmless
      ? timeout()
      : unknown();
  return { kind: 'fault', maybeSent: !isUnsent, afterMs: 0, isAway: false, isFull, error };
}

/** Returns the error of a call that was interrupted. */
export function interruptionError(call: Call, phase: CallPhase, maybeSent: boolean): VirguleError {
  if (call.interruption === 'aborted') {
    const details = { ...call.facts(), phase, maybeSent };
    return clientErrors.E_ABORTED(details, { cause: call.abortReason });
  }
  return maybeSent && !isRepeatHarmless(call.plan.retry)
    ? clientErrors.E_OUTCOME_UNKNOWN({ ...call.facts(), phase, repeatIsHarmless: false })
    : clientErrors.E_SHUTTING_DOWN(call.facts());
}

/** Returns the error of a call that was not admitted. */
export function refusalError(refusal: Refusal, call: Call): VirguleError {
  const facts = call.facts();
  const { maybeSent, priority, plan } = call;
  switch (refusal.why) {
    case 'limited': {
      const { retryAfterMs } = refusal;
      return clientErrors.E_RATE_LIMITED({ ...facts, retryAfterMs, maybeSent });
    }
    case 'unreachable':
    case 'late': {
      if (call.lastFault) return call.lastFault;
      // An earlier try may have arrived: "not sent" would not be true.
      if (refusal.why === 'late' || maybeSent)
        return clientErrors.E_TIMEOUT({ ...facts, phase: 'waiting', maybeSent });
      const reason = 'many requests in a row failed in the network';
      const details = { ...facts, phase: 'connecting', address: plan.origin, reason } as const;
      return clientErrors.E_UNREACHABLE(details);
    }
    case 'queue-full':
      return clientErrors.E_OVERLOADED({ ...facts, priority });
  }
}

/** End of a request that was never sent. */
export const UNSENT: RequestEnd = { limit: { kind: 'unsent' }, network: 'unknown' };
const FULL: RequestEnd = { ...UNSENT, isFull: true };
const LOST: LimitOutcome = { kind: 'lost' };
const ACCEPTED: RequestEnd = { limit: { kind: 'accepted' }, network: 'answered' };

/** Returns the meaning of an exchange for rate limits and the circuit breaker. */
export function endOf(result: ExchangeResult, verdict: Verdict): RequestEnd {
  if (verdict.kind === 'limited') return { limit: verdict, network: 'answered' };
  if (verdict.kind === 'fault' && verdict.isFull) return FULL;
  const { why, phase, status } = result;
  if (status !== undefined) {
    if (verdict.kind !== 'fault' || !verdict.outage) return ACCEPTED;
    return { limit: verdict.outage === 'status' ? ACCEPTED.limit : LOST, network: 'outage' };
  }
  return {
    limit: phase === 'connecting' ? UNSENT.limit : LOST,
    network: why === 'fault' || why === 'limit' || why === 'stalled' ? 'fault' : 'unknown',
  };
}

/** Returns the parsed body, or the reason why it is not JSON. */
export function parseJson(body: Uint8Array | undefined): { parsed?: unknown; reason?: string } {
  if (!body || body.byteLength === 0) return { reason: 'an empty body' };
  try {
    const text = textOf(body);
    // Some servers send a byte order mark, which `JSON.parse` rejects.
    return { parsed: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    // The body itself is omitted: it can be long and contain messages of users.
    return { reason: 'a body that is not JSON' };
  }
}

/** Returns true if a second request is safe, whatever happened to the first request. */
export const isRepeatHarmless = (retry: RetryClass): boolean =>
  retry === 'safe' || retry === 'repeatable';

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

const isSent = (result: ExchangeResult, call: Call): boolean =>
  call.maybeSent || result.phase !== 'connecting';

const reasonOf = (error: (Error & { readonly code?: unknown }) | undefined): string =>
  typeof error?.code === 'string' ? error.code : (error?.message ?? 'no connection');

const failed = (error: VirguleError): Verdict => ({ kind: 'failed', error });
