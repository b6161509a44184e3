import { UUID } from '@virgule/core/text';
import {
  API_PREFIX,
  ENDPOINTS,
  type HttpMethod,
  type ReactionMutationRequest,
} from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import { parseJson } from '../request/outcome.js';
import type { Api, BotEndpointName } from './api.js';
import { invalidCall, readOptions, type ApiInput } from './check-input.js';
import type { Rest } from './create-rest.js';
import type { CallOptions } from '../request/call.js';

type Calls = Pick<Rest, GroupOf<BotEndpointName>>;

/** `messages` of `messages.send`. */
type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;

/** Returns the body of a reaction. Both keys are always sent, and the unused key is null. */
function bothKeys(emoji: unknown): object {
  // Plain JavaScript may pass a string, nothing, or both; the check of the body then reports it.
  const { unicodeEmoji = null, customEmojiId = null }: Partial<ReactionMutationRequest> =
    Object(emoji);
  return { unicodeEmoji, customEmojiId };
}

/** Functions that convert an argument into the body, for the methods whose body is not the argument itself. */
const TO_BODY: Partial<Readonly<Record<string, (value: unknown) => object>>> = {
  'reactions.add': bothKeys,
  'reactions.remove': bothKeys,
  'reactions.removeUser': bothKeys,
  'commands.replace': (commands) => ({ commands }),
};

/**
 * Creates a method for each row of the table of endpoints: it takes the ids of the path in order, then the query or body,
 * then the options. Methods with several requests are added by the caller.
 */
export function createMethods(api: Api): Calls {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name } of Object.values(ENDPOINTS)) {
    if (name === 'user.runCommand') continue;
    const [group = '', method = ''] = name.split('.');
    (groups[group] ??= {})[method] = createMethod(api, name);
  }
  // The interfaces state the types, and a test sends a request through each method.
  return groups as unknown as Calls;
}

function createMethod(api: Api, name: BotEndpointName) {
  const { path, query, body } = ENDPOINTS[name];
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id);
  const payloadAt = query || body ? ids.length : -1;
  const optionsAt = payloadAt < 0 ? ids.length : payloadAt + 1;
  const toBody = TO_BODY[name];
  return (...args: readonly unknown[]): Promise<unknown> => {
    const parameters: Record<string, unknown> = {};
    for (let index = 0; index < ids.length; index += 1) parameters[ids[index] ?? ''] = args[index];
    const payload = payloadAt < 0 ? undefined : args[payloadAt];
    const content = toBody ? toBody(payload) : payload;
    const input = { parameters, query: query && payload, body: body && content };
    // The checks of each call do not rely on the types.
    return api.call(name, input as ApiInput, args[optionsAt] as CallOptions | undefined);
  };
}

/** Options of `rest.request`. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the query; `undefined` and `null` values are omitted. */
  readonly query?: object | undefined;
  /** Body, sent as JSON. */
  readonly body?: object | undefined;
  /** Set if the client may repeat a request whose outcome is unknown; a GET always is. @defaultValue false */
  readonly isRepeatable?: boolean | undefined;
}

/** Calls an endpoint that this version has no method for. */
export type RawRequest = (
  method: HttpMethod,
  path: string,
  options?: RequestOptions,
) => Promise<unknown>;

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Pattern of a valid path. Other characters would change the meaning of the path. */
const PATH = /^(\/[\w~%!$&'()*+,;=:@.-]+)+$/;

const ID = new RegExp(UUID, 'gi');

/** Name of the method in errors. */
const CALL = 'request';

export function createRawRequest(api: Api): RawRequest {
  return async (method, path, options = {}) => {
    readOptions(CALL, options);
    if (!METHODS.includes(method))
      throw invalidCall(CALL, 'method', `one of ${METHODS.join(', ')}`, method);
    if (typeof path !== 'string' || !PATH.test(path) || /\/(\.|%2e){1,2}(\/|$)/i.test(path))
      throw invalidCall(CALL, 'path', 'a path such as "/users/@me", without a query', path);
    const { query, body, isRepeatable = false } = options;
    // Errors, logs and rate limits use the route, without the ids.
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
