import type { ApiErrorBody } from '@virgule/core/protocol';
import { isRecord, orUndefined } from '@virgule/core/objects';

/** A request that the simulator rejected or did not receive. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** Code of the error body, or `unreachable`. */
  readonly code: string;
  readonly requestId: string | null;

  constructor(message: string, code: string, requestId: string | null) {
    super(message);
    this.code = code;
    this.requestId = requestId;
  }
}

function textAt(body: unknown, key: keyof ApiErrorBody): string | null {
  const value = isRecord(body) ? body[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Reads `{ code, message, details, requestId }` leniently: any body results in an error for the user. */
export function toRequestError(status: number, body: unknown): RequestError {
  const code = textAt(body, 'code') ?? `status ${status}`;
  const message = textAt(body, 'message') ?? `The simulator responded with status ${status}.`;
  return new RequestError(message, code, textAt(body, 'requestId'));
}

export const unreachableError = (): RequestError =>
  new RequestError('The simulator could not be reached.', 'unreachable', null);

/** Parses JSON of a user; the simulator checks the contents. @throws RequestError with the message */
export function readJson(text: string, message: string): unknown {
  const value = orUndefined<unknown>(() => JSON.parse(text));
  if (value === undefined) throw new RequestError(message, 'invalid', null);
  return value;
}
