import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import { ENDPOINTS } from '@virgule/core/protocol';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';

/** Returns what ends an upload that was not aborted. */
const FAILED_UPLOADS: ReadonlySet<string> = new Set([
  'E_API_REFUSED',
  'E_RATE_LIMITED',
  'E_OUTCOME_UNKNOWN',
  'E_TIMEOUT',
  'E_UNREACHABLE',
  'E_BAD_RESPONSE',
  'E_BAD_ADDRESS',
  'E_OVERLOADED',
]);

const { method, path } = ENDPOINTS['attachments.openUpload'];

/** The route of the first request of an upload, for errors about what comes before it. */
export const UPLOAD_ROUTE = `${method} ${path}`;

/**
 * The outcome of the file must not read as that of the message: a caller that sees an unknown
 * outcome or a 404 would take it for the message's own.
 */
export function asUploadError(error: unknown, fileName: string, index: number): unknown {
  if (!isVirguleError(error) || !FAILED_UPLOADS.has(error.code)) return error;
  return clientErrors.E_UPLOAD_FAILED(
    { ...factsOf(error), field: `files[${index}]`, fileName, reason: error.code },
    { cause: error },
  );
}

function factsOf({ details }: VirguleError): CallFacts {
  // Each of `FAILED_UPLOADS` carries the facts of its call, but for an address that is none.
  const {
    endpoint = 'attachments.upload',
    route = UPLOAD_ROUTE,
    attempts = 0,
    elapsedMs = 0,
    requestId,
  } = details as Partial<CallFacts>;
  return { endpoint, route, attempts, elapsedMs, requestId };
}
