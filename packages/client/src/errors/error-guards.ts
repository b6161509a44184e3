import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { clientErrors } from './client-errors.js';

type Factories = typeof clientErrors;

/** The details of each error, by its code. */
export type ClientErrorDetails = {
  readonly [Code in keyof Factories]: Parameters<Factories[Code]>[0];
};

/** The code of an error of the client. */
export type ClientErrorCode = keyof ClientErrorDetails;

/** An error of this package with a known code and the details that belong to it. */
export type ClientError<Code extends ClientErrorCode> = VirguleError & {
  readonly code: Code;
  readonly details: ClientErrorDetails[Code];
};

function guard<Code extends ClientErrorCode>(code: Code) {
  return (value: unknown): value is ClientError<Code> => isVirguleError(value, code);
}

/** The platform refused the request. */
export const isApiRefused = guard('E_API_REFUSED');

/** The resource does not exist, or the bot cannot see it: a refusal with 404. */
export const isNotFound = (value: unknown): value is ClientError<'E_API_REFUSED'> =>
  isApiRefused(value) && value.details.status === 404;

/** The bot has no permission: a refusal with 403. */
export const isForbidden = (value: unknown): value is ClientError<'E_API_REFUSED'> =>
  isApiRefused(value) && value.details.status === 403;

/** The route is paused for longer than the call may take. */
export const isRateLimited = guard('E_RATE_LIMITED');

/** The bot token is not valid. Nothing is sent with it any more. */
export const isUnauthorized = guard('E_UNAUTHORIZED');

/** No answer came in time, and it is safe to call again. */
export const isTimeout = guard('E_TIMEOUT');

/** The caller's signal ended the call. */
export const isAborted = guard('E_ABORTED');

/** The request was sent, and it is unknown whether it took effect. */
export const isOutcomeUnknown = guard('E_OUTCOME_UNKNOWN');

/** The platform could not be reached, or the connection broke during a read: the call certainly had no effect. */
export const isUnreachable = guard('E_UNREACHABLE');

/** The platform accepted the request, and its answer cannot be read. */
export const isBadResponse = guard('E_BAD_RESPONSE');

/** A file was not uploaded; the message it belongs to was provably not sent. */
export const isUploadFailed = guard('E_UPLOAD_FAILED');

/** A file was not downloaded: its URL is not allowed, or it is too large, of another type, or not there. */
export const isAttachmentRefused = guard('E_ATTACHMENT_REFUSED');

/** The call itself is wrong: refused before anything was sent. */
export const isInvalidCall = guard('E_INVALID_CALL');

/** Too many calls are already waiting: this one was not sent. */
export const isOverloaded = guard('E_OVERLOADED');

/** The client is closed or closing. */
export const isShuttingDown = guard('E_SHUTTING_DOWN');

/** `baseUrl`, `gatewayUrl` or an upload address is not an address. */
export const isBadAddress = guard('E_BAD_ADDRESS');
