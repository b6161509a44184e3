import { readLeniently, type Endpoint } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { Accepted } from '../request/caller.js';

/**
 * Returns the body of an accepted request in the shape the endpoint promises. What the client needs is
 * checked against it, unexpected fields pass through unchanged, and `onOdd` is called with their names. A shape that
 * is "not shown" and is not the likely one is `undefined`.
 *
 * @throws VirguleError `E_BAD_RESPONSE` when a stated shape is not met.
 */
export function readAnswer(
  endpoint: Endpoint,
  accepted: Accepted,
  onOdd: (fields: readonly string[]) => void,
): unknown {
  const { response } = endpoint;
  if (response === null) return undefined;
  const { parsed, reason } = parseJson(accepted.body);
  const isShown = !('notShown' in response);
  if (isShown && reason !== undefined) throw bad(accepted, reason);
  const reading = readLeniently(isShown ? response : response.likely, parsed);
  if (reading.success) {
    const isOdd = reading.odd.length > 0;
    // A list with other items than the likely ones is most likely another list.
    if (isOdd && !isShown && Array.isArray(parsed)) return undefined;
    if (isOdd) onOdd(reading.odd);
    return reading.data;
  }
  if (!isShown) return undefined;
  throw bad(accepted, reading.reason, reading.field);
}

/** Parses a body, or says what is wrong with it. */
export function parseJson(body: Uint8Array | undefined): { parsed?: unknown; reason?: string } {
  if (!body || body.byteLength === 0) return { reason: 'an empty body' };
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    // Some servers put a byte order mark in front, which is no JSON.
    return { parsed: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    // The text itself is left out: it can be long, and it can hold what others sent.
    return { reason: 'a body that is not JSON' };
  }
}

function bad({ status, call }: Accepted, reason: string, field?: string): Error {
  return clientErrors.E_BAD_RESPONSE({
    ...call.facts(),
    status,
    reason,
    field: field === '' ? undefined : field,
  });
}
