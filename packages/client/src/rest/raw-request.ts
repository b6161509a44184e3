import { API_PREFIX, type HttpMethod } from '@virgule/core/protocol';
import type { Caller } from '../request/caller.js';
import { parseJson } from './read-answer.js';
import { clientErrors } from '../errors/client-errors.js';
import type { PlanApiRequest } from './api-plan.js';
import { checkOptions } from './check-input.js';
import { describeSeen } from './describe-seen.js';
import type { CallOptions } from './rest-options.js';

/** Taken by `rest.request`. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the query; those that are undefined or null are left out. */
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /**
   * Whether the request may be sent again when its outcome is unknown, because a second time changes nothing more.
   * A GET always may. @defaultValue false
   */
  readonly isRepeatable?: boolean | undefined;
}

/** Calls an endpoint that this version has no method for. */
export type RawRequest = (
  method: HttpMethod,
  path: string,
  options?: RequestOptions,
) => Promise<unknown>;

export interface RawRequestOptions {
  readonly plan: PlanApiRequest;
  readonly caller: Caller;
  /** Time for a call that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
  /** Aborted when the client closes. */
  readonly closing: AbortSignal;
}

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Anything else would be another path than the one that is meant. */
const PATH = /^(\/[\w~%!$&'()*+,;=:@.-]+)+$/;

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

export function createRawRequest(rawOptions: RawRequestOptions): RawRequest {
  const { plan, caller, closing } = rawOptions;
  return async (method, path, options = {}) => {
    checkOptions('request', options);
    if (!METHODS.includes(method)) throw invalid('method', `one of ${METHODS.join(', ')}`, method);
    if (typeof path !== 'string' || !PATH.test(path) || /\/\.\.?(\/|$)/.test(path)) {
      throw invalid('path', 'a path such as "/users/@me", without a query', path);
    }
    const { query, body, isRepeatable = false, signal, priority, onRetry } = options;
    const deadlineMs = options.deadlineMs ?? rawOptions.deadlineMs;
    // Errors, logs and rate limits know it by its route, without the ids.
    const parameters: Record<string, string> = {};
    const template = path.replaceAll(ID, (id) => {
      const name = `id${Object.keys(parameters).length + 1}`;
      parameters[name] = id;
      return `{${name}}`;
    });
    const route = `${method} ${template}`;
    if (closing.aborted) {
      throw clientErrors.E_SHUTTING_DOWN({ endpoint: route, route, attempts: 0, elapsedMs: 0 });
    }
    const retry = method === 'GET' ? 'safe' : isRepeatable ? 'repeatable' : 'once';
    const endpoint = { name: route, method, path: template, retry, response: null } as const;
    const input = { parameters, query, body };
    const request = plan(endpoint, API_PREFIX.bot + path, input, deadlineMs);
    const accepted = await caller.send(request, { signal, deadlineMs, priority, onRetry });
    if (!accepted.body || accepted.body.byteLength === 0) return undefined;
    const { parsed, reason } = parseJson(accepted.body);
    if (reason === undefined) return parsed;
    const { status } = accepted;
    throw clientErrors.E_BAD_RESPONSE({ ...accepted.call.facts(), status, reason });
  };
}

function invalid(field: string, expected: string, value: unknown): Error {
  const seen = describeSeen(value, '');
  return clientErrors.E_INVALID_CALL({ endpoint: 'request', field, expected, seen });
}
