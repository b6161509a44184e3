import { API_ERROR_CODES } from '@virgule/core/protocol';

/**
 * An error response to a request. The Bot Interface specifies only `bot_validation_error` and the
 * statuses 401, 403 and 429 ("Errors"); every other code is assumed.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Refusal['details'] = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Returns a refusal for an invalid value in the path, query or body; its response has the status of the profile. */
export const invalid = (field: string, message: string): Refusal =>
  new Refusal(400, API_ERROR_CODES.validation, message, { field });

/** Requires a maximum length of a string that is kept: a bot may send any length. The limit is assumed. */
export function requireLength(field: string, text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  throw invalid(field, `${field} can have at most ${maxLength} characters.`);
}

/** Returns a refusal for an id that does not exist, or that the caller cannot see. */
export const notFound = (resource: string, id: string): Refusal =>
  new Refusal(404, 'bot_not_found', `There is no ${resource} ${id}.`, { resource, id });

export const forbidden = (message: string, details: Refusal['details'] = {}): Refusal =>
  new Refusal(403, 'bot_forbidden', message, details);

export function tooLarge(maxBytes: number): Refusal {
  const message = `The body is larger than ${maxBytes} bytes.`;
  return new Refusal(413, 'bot_payload_too_large', message, { maxBytes });
}
