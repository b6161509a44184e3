import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import { clientErrors } from '../errors/client-errors.js';
import type { CallFacts } from '../errors/error-details.js';

const FAILED_REQUESTS: ReadonlySet<string> = new Set([
  'E_API_REFUSED',
  'E_OUTCOME_UNKNOWN',
  'E_TIMEOUT',
  'E_UNREACHABLE',
  'E_BAD_RESPONSE',
]);

/**
 * What became of the file must not read as what became of the message: whoever sees an unknown
 * outcome or a 404 would take it for the message's own.
 */
export function asUploadError(error: unknown, fileName: string, index: number): unknown {
  if (!isVirguleError(error) || !FAILED_REQUESTS.has(error.code)) return error;
  return clientErrors.E_UPLOAD_FAILED(
    { ...factsOf(error), field: `files[${index}]`, fileName, reason: error.code },
    { cause: error },
  );
}

function factsOf({ details }: VirguleError): CallFacts {
  // Each of `FAILED_REQUESTS` carries the facts of its call.
  const { endpoint, route, attempts, elapsedMs, requestId } = details as unknown as CallFacts;
  return { endpoint, route, attempts, elapsedMs, requestId };
}
