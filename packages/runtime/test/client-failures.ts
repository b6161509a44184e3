import { clientErrors } from '@virgule/client/rest';
import type { VirguleError } from '@virgule/core/errors';

const FACTS = { endpoint: 'a call', route: 'POST /a/call', attempts: 1, elapsedMs: 20 };

/** The platform said no. */
export const refused = (status: number, apiCode = ''): VirguleError =>
  clientErrors.E_API_REFUSED({ ...FACTS, status, apiCode, apiMessage: 'no' });

/** The call was sent, and no answer came. */
export const outcomeUnknown = (): VirguleError =>
  clientErrors.E_OUTCOME_UNKNOWN({ ...FACTS, phase: 'headers', repeatIsHarmless: false });

/** The platform answered a message with a status of 5xx: the message may have arrived. */
export const failing = (status: number): VirguleError =>
  clientErrors.E_OUTCOME_UNKNOWN({ ...FACTS, phase: 'body', status, repeatIsHarmless: false });

/** The deadline passed. */
export const timedOut = (maybeSent: boolean): VirguleError =>
  clientErrors.E_TIMEOUT({ ...FACTS, phase: maybeSent ? 'headers' : 'waiting', maybeSent });

/** The signal of the call was aborted. */
export const aborted = (maybeSent: boolean): VirguleError =>
  clientErrors.E_ABORTED({ ...FACTS, phase: maybeSent ? 'headers' : 'waiting', maybeSent });

/** Nothing was sent. */
export const unreachable = (): VirguleError =>
  clientErrors.E_UNREACHABLE({
    phase: 'connecting',
    ...FACTS,
    address: 'http://127.0.0.1:9',
    reason: 'ECONNREFUSED',
  });

/** `maybeSent`: by an earlier try of the same call. */
export const rateLimited = (maybeSent = false): VirguleError =>
  clientErrors.E_RATE_LIMITED({ ...FACTS, retryAfterMs: 60_000, maybeSent });

export const unauthorized = (): VirguleError =>
  clientErrors.E_UNAUTHORIZED({ ...FACTS, answer: 'GET /users/@me answered 401' });

/** The interaction expired or never was. */
export const gone = (): VirguleError => refused(404, 'bot_interaction_not_found');

/** There is an answer already, or there is none to edit. */
export const alreadyAnswered = (): VirguleError => refused(409, 'bot_interaction_already_answered');
