import type { ApiErrorBody } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';
import { Refusal } from '../world/refusal.js';
import { emptyAnswer, jsonAnswer, type Answer } from './exchange.js';

/** The error body of a refusal ("Errors"). A profile may turn a refusal into a success that does nothing. */
export function refusalAnswer({ status, code, message, details }: Refusal, requestId: string) {
  if (status < 400) return emptyAnswer(status);
  return jsonAnswer(status, { code, message, details, requestId } satisfies ApiErrorBody);
}

/** Turns whatever a handler threw into an answer. What is not a refusal is our own mistake, and logged. */
export function errorAnswer(error: unknown, requestId: string, log: Log): Answer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId);
  log.error({ error, requestId }, 'the simulator failed on a request');
  const bug = new Refusal(500, 'sim_internal_error', 'The simulator failed; its log says how.');
  return refusalAnswer(bug, requestId);
}
