import type { ApiErrorBody } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';
import { Refusal } from '../world/refusal.js';
import { emptyAnswer, jsonAnswer, type Answer } from './exchange.js';

/** Returns the error response of a refusal ("Errors"). A profile may replace an error with an empty success. */
export function refusalAnswer({ status, code, message, details }: Refusal, requestId: string) {
  if (status < 400) return emptyAnswer(status);
  return jsonAnswer(status, { code, message, details, requestId } satisfies ApiErrorBody);
}

/** Returns the response for an error that a handler threw. Anything but a refusal is a bug, and is logged. */
export function errorAnswer(error: unknown, requestId: string, log: Log): Answer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId);
  log.error({ error, requestId }, 'failed to handle a request');
  const bug = new Refusal(500, 'sim_internal_error', 'The simulator failed. See its log.');
  return refusalAnswer(bug, requestId);
}
