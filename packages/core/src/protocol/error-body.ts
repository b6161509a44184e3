// Source: Bot Interface, "Errors".
import * as z from 'zod';
import type { FieldsOf } from './values.js';

/** The JSON body of a rejected REST request. */
export interface ApiErrorBody extends FieldsOf<typeof apiErrorBodySchema> {}

/** Reads any JSON as an error body: missing and invalid parts become empty, so that an error never hides its status. */
export const apiErrorBodySchema = z
  .looseObject({
    /** `bot_validation_error`, `bot_rate_limited`, or a code that the Bot Interface does not list. */
    code: z.string().catch(''),
    message: z.string().catch(''),
    /** Depends on the code: `field` for a validation error, `retryAfterSeconds` for a rate limit. */
    // A function, because a value would be one object shared by all bodies.
    details: z.record(z.string(), z.unknown()).catch(() => ({})),
    requestId: z.string().catch(''),
  })
  .catch(() => ({ code: '', message: '', details: {}, requestId: '' }));

/** The error codes that the Bot Interface specifies. */
export const API_ERROR_CODES = {
  validation: 'bot_validation_error',
  rateLimited: 'bot_rate_limited',
} as const;

/** The headers of a response with status 429; all integers. The unit of `reset` is not specified. */
export const RATE_LIMIT_HEADERS = {
  retryAfterSeconds: 'retry-after',
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const;
