import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { clientErrors } from './client-errors.js';

type Factories = typeof clientErrors;

/** The details of each error, by its code. */
export type ClientErrorDetails = {
  readonly [Code in keyof Factories]: Parameters<Factories[Code]>[0];
};

export type ClientErrorCode = keyof ClientErrorDetails;

/** An error of this package with a known code and the details that belong to it. */
export type ClientError<Code extends ClientErrorCode> = VirguleError & {
  readonly code: Code;
  readonly details: ClientErrorDetails[Code];
};

type Guard<Code extends ClientErrorCode> = (value: unknown) => value is ClientError<Code>;

function guard<Code extends ClientErrorCode>(code: Code): Guard<Code> {
  return (value): value is ClientError<Code> => isVirguleError(value, code);
}

/** The platform answered and said no. */
export const isApiRefused: Guard<'E_API_REFUSED'> = guard('E_API_REFUSED');

/** The resource does not exist, or the bot cannot see it: a refusal with 404. */
export const isNotFound = (value: unknown): value is ClientError<'E_API_REFUSED'> =>
  isApiRefused(value) && value.details.status === 404;

/** The bot has no permission: a refusal with 403. */
export const isForbidden = (value: unknown): value is ClientError<'E_API_REFUSED'> =>
  isApiRefused(value) && value.details.status === 403;

/** The route is paused for longer than the call may take. */
export const isRateLimited: Guard<'E_RATE_LIMITED'> = guard('E_RATE_LIMITED');

/** The bot token is not valid. Nothing is sent with it any more. */
export const isUnauthorized: Guard<'E_UNAUTHORIZED'> = guard('E_UNAUTHORIZED');

/** No answer came in time, and it is safe to call again. */
export const isTimeout: Guard<'E_TIMEOUT'> = guard('E_TIMEOUT');

/** The caller's signal ended the call. */
export const isAborted: Guard<'E_ABORTED'> = guard('E_ABORTED');

/** The request was sent, and it is unknown whether it took effect. */
export const isOutcomeUnknown: Guard<'E_OUTCOME_UNKNOWN'> = guard('E_OUTCOME_UNKNOWN');

/** No connection, or for a read one that broke: provably nothing took effect. */
export const isUnreachable: Guard<'E_UNREACHABLE'> = guard('E_UNREACHABLE');

/** The platform accepted the request, and its answer cannot be read. */
export const isBadResponse: Guard<'E_BAD_RESPONSE'> = guard('E_BAD_RESPONSE');

/** A file was not uploaded; the message it belongs to was provably not sent. */
export const isUploadFailed: Guard<'E_UPLOAD_FAILED'> = guard('E_UPLOAD_FAILED');

/** The call itself is wrong: refused before anything was sent. */
export const isInvalidCall: Guard<'E_INVALID_CALL'> = guard('E_INVALID_CALL');

/** Too many calls wait already: this one was not sent. */
export const isOverloaded: Guard<'E_OVERLOADED'> = guard('E_OVERLOADED');

/** The client is closed or closing. */
export const isShuttingDown: Guard<'E_SHUTTING_DOWN'> = guard('E_SHUTTING_DOWN');

/** `baseUrl`, `gatewayUrl` or an upload address is not an address. */
export const isBadAddress: Guard<'E_BAD_ADDRESS'> = guard('E_BAD_ADDRESS');
