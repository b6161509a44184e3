import { ENDPOINTS } from '@virgule/core/protocol';
import type { Caller } from '../call/caller.js';
import { readAnswer } from '../call/read-answer.js';
import type { Answers, BotEndpointName } from './answers.js';
import { planApiRequest, type ApiInput, type ApiPlanOptions } from './api-plan.js';
import type { CallOptions } from './rest-options.js';

/** Calls one endpoint of the table. */
export type ApiCall = <Name extends BotEndpointName>(
  name: Name,
  input?: ApiInput,
  options?: CallOptions,
) => Promise<Answers[Name]>;

export interface ApiCallOptions extends ApiPlanOptions {
  readonly caller: Caller;
  /** Time for a call that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
}

export function createApiCall({ caller, deadlineMs, ...planOptions }: ApiCallOptions): ApiCall {
  return async (name, input = {}, options = {}) => {
    const endpoint = ENDPOINTS[name];
    const accepted = await caller.send(planApiRequest(endpoint, input, planOptions), {
      signal: options.signal,
      deadlineMs: options.deadlineMs ?? deadlineMs,
    });
    // The table forgets which shape belongs to which name; `Answers` says it again, and a test
    // reads one body of each shape through every method.
    return readAnswer(endpoint, accepted) as Answers[typeof name];
  };
}
