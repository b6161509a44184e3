import { apiErrorBodySchema } from '@virgule/core/protocol';
import { redact } from '../token/bot-token.js';

/** What a refusal says; a part it does not carry is empty. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  /** The offending field of a validation error. */
  readonly field: string | undefined;
  /** As it came, not checked. */
  readonly retryAfterSeconds: unknown;
}

/** The maximum length of a string that is passed on: a whole page in a field would flood a log. */
const MAX_TEXT_LENGTH = 500;

/** Reads the body of a refusal. Whatever is missing or invalid is empty, and the token is redacted. */
export function readRefusal(body: Uint8Array, token: string): Refusal {
  const { data } = apiErrorBodySchema.safeParse(parse(body));
  const clean = (text: string): string => redact(text, token).slice(0, MAX_TEXT_LENGTH);
  const field = data?.details['field'];
  return {
    code: clean(data?.code ?? ''),
    message: clean(data?.message ?? ''),
    requestId: clean(data?.requestId ?? ''),
    field: typeof field === 'string' ? clean(field) : undefined,
    retryAfterSeconds: data?.details['retryAfterSeconds'],
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    // A proxy's page, or nothing: the status has to speak for itself.
    return undefined;
  }
}
