import type { Endpoint } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { Accepted } from './caller.js';

/**
 * The body of an accepted request in the shape the endpoint promises. A shape that is "not shown"
 * is read leniently: what parses as the likely one is given, anything else is `undefined`.
 *
 * @throws VirguleError `E_BAD_RESPONSE` when a stated shape is not met.
 */
export function readAnswer(endpoint: Endpoint, accepted: Accepted): unknown {
  const { response } = endpoint;
  if (response === null) return undefined;
  const { parsed, reason } = parse(accepted.body);
  if ('notShown' in response) return response.likely.safeParse(parsed).data;
  if (reason !== undefined) throw bad(accepted, reason);
  const result = response.safeParse(parsed);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw bad(accepted, issue?.message ?? 'an unexpected shape', issue?.path.join('.'));
}

function parse(body: Uint8Array | undefined): { parsed?: unknown; reason?: string } {
  if (!body || body.byteLength === 0) return { reason: 'an empty body' };
  try {
    return {
      parsed: JSON.parse(
        Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'),
      ),
    };
  } catch {
    // The text itself is left out: it can be long, and it can hold what others sent.
    return { reason: 'a body that is not JSON' };
  }
}

function bad({ status, scope }: Accepted, reason: string, field?: string): Error {
  return clientErrors.E_BAD_RESPONSE({
    ...scope.facts(),
    status,
    reason,
    field: field === '' ? undefined : field,
  });
}
