// Source: Bot Interface, "Errors".
import * as z from 'zod';

/** The JSON body of a rejected REST request. */
export interface ApiErrorBody {
  /** `bot_validation_error`, `bot_rate_limited`, or a code that the Bot Interface does not list. */
  readonly code: string;
  readonly message: string;
  /** Depends on the code: `field` for a validation error, `retryAfterSeconds` for a rate limit. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string;
}

/** Reads any JSON as an error body: missing and invalid parts become empty, so that an error never hides its status. */
export const apiErrorBodySchema = z
  .looseObject({
    code: z.string().catch(''),
    message: z.string().catch(''),
    // A function, because a value would be one object shared by all bodies.
    details: z.record(z.string(), z.unknown()).catch(() => ({})),
    requestId: z.string().catch(''),
  })
  .catch(() => ({
    code: '',
    message: '',
    details: {},
    requestId: '',
  })) satisfies z.ZodType<ApiErrorBody>;

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
