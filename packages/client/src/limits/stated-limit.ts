import { RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { HttpHeaders } from '../http/http-dispatcher.js';

/**
 * `X-RateLimit-Limit` of a 429, or `undefined` when it is not a whole number of 1 or more. The other
 * two headers are not read: `Retry-After` suffices, and the unit of `X-RateLimit-Reset` is not stated.
 */
export function statedLimit(headers: HttpHeaders): number | undefined {
  const value = headers[RATE_LIMIT_HEADERS.limit];
  const text = typeof value === 'string' ? value : value?.[0];
  const limit = text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : 0;
  return limit === 0 ? undefined : limit;
}
