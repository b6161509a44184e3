import { API_PREFIX, type HttpMethod } from '@virgule/core/protocol';
import { parseJson } from '../request/outcome.js';
import type { Api } from './api.js';
import { clientErrors } from '../errors/client-errors.js';
import { invalidCall, readOptions } from './check-input.js';
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

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Anything else would be another path than the one that is meant. */
const PATH = /^(\/[\w~%!$&'()*+,;=:@.-]+)+$/;

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** For errors. */
const CALL = 'request';

export function createRawRequest(api: Api): RawRequest {
  return async (method, path, options = {}) => {
    readOptions(CALL, options);
    if (!METHODS.includes(method))
      throw invalidCall(CALL, 'method', `one of ${METHODS.join(', ')}`, method);
    if (typeof path !== 'string' || !PATH.test(path) || /\/(\.|%2e){1,2}(\/|$)/i.test(path)) {
      throw invalidCall(CALL, 'path', 'a path such as "/users/@me", without a query', path);
    }
    const { query, body, isRepeatable = false } = options;
    // Errors, logs and rate limits know it by its route, without the ids.
    const parameters: Record<string, string> = {};
    const template = path.replaceAll(ID, (id) => {
      const name = `id${Object.keys(parameters).length + 1}`;
      parameters[name] = id;
      return `{${name}}`;
    });
    const name = `${method} ${template}`;
    const retry = method === 'GET' ? 'safe' : isRepeatable ? 'repeatable' : 'once';
    const endpoint = { name, method, path: template, retry, response: null } as const;
    const input = { parameters, query, body };
    const accepted = await api.sendTo(endpoint, API_PREFIX.bot + path, input, options);
    if (!accepted.body || accepted.body.byteLength === 0) return undefined;
    const { parsed, reason } = parseJson(accepted.body);
    if (reason === undefined) return parsed;
    const { status } = accepted;
    throw clientErrors.E_BAD_RESPONSE({ ...accepted.call.facts(), status, reason });
  };
}
