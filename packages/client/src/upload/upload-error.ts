import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import { ENDPOINTS } from '@virgule/core/protocol';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { isAborted } from '../errors/error-guards.js';

/** What is passed on as it is: the call was ended, or it is wrong, and not its file. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'E_SHUTTING_DOWN',
  'E_UNAUTHORIZED',
  'E_INVALID_CALL',
]);

const { method, path } = ENDPOINTS['attachments.openUpload'];

/** The route of the first request of an upload, for errors about what comes before it. */
export const UPLOAD_ROUTE = `${method} ${path}`;

/**
 * The outcome of the file must not read as that of the message: a caller that sees an unknown
 * outcome or a 404 would take it for the message's own.
 */
export function asUploadError(error: unknown, fileName: string, index: number): unknown {
  if (!isVirguleError(error) || PASSED_ON.has(error.code)) return error;
  if (isAborted(error)) {
    // The message was not sent, whatever became of the file.
    const { details, cause } = error;
    return clientErrors.E_ABORTED({ ...details, maybeSent: false }, { cause });
  }
  return clientErrors.E_UPLOAD_FAILED(
    { ...factsOf(error), field: `files[${index}]`, fileName, reason: error.code },
    { cause: error },
  );
}

function factsOf({ details }: VirguleError): CallFacts {
  // Each that is left carries the facts of its call, but for an address that is none.
  const {
    endpoint = 'attachments.upload',
    route = UPLOAD_ROUTE,
    attempts = 0,
    elapsedMs = 0,
    requestId,
  } = details as Partial<CallFacts>;
  return { endpoint, route, attempts, elapsedMs, requestId };
}
