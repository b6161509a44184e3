import { RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { HttpHeaders } from '../http/http-dispatcher.js';

/**
 * What an answer's headers say about limits. Stated for a 429 only (Bot Interface, "Limits"); on
 * other answers they are taken when they come. Anything but a whole number counts as absent.
 */
export interface RateHeaders {
  /** `X-RateLimit-Limit`, 1 or more. */
  readonly limit?: number | undefined;
  /** `X-RateLimit-Remaining`, 0 or more. */
  readonly remaining?: number | undefined;
  /** `X-RateLimit-Reset` as it came: its unit is not stated. */
  readonly reset?: number | undefined;
}

const NONE: RateHeaders = {};

export function readRateHeaders(headers: HttpHeaders): RateHeaders {
  const limit = wholeNumber(headers[RATE_LIMIT_HEADERS.limit]);
  const remaining = wholeNumber(headers[RATE_LIMIT_HEADERS.remaining]);
  const reset = wholeNumber(headers[RATE_LIMIT_HEADERS.reset]);
  if (limit === undefined && remaining === undefined && reset === undefined) return NONE;
  return { limit: limit === 0 ? undefined : limit, remaining, reset };
}

function wholeNumber(value: string | readonly string[] | undefined): number | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}
