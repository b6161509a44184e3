import { describeSeen } from '@virgule/core/objects';
import {
  endpointPath,
  ENDPOINTS,
  isAlreadyAnswered,
  isRefusal,
  readLeniently,
  type Endpoint,
  type EndpointName,
  type Profile,
} from '@virgule/core/protocol';
import type { AttachmentHosts } from '../download/download.js';
import { clientErrors } from '../errors/client-errors.js';
import { Caller, type Accepted, type CallerOptions } from '../request/caller.js';
import { parseJson } from '../request/outcome.js';
import type { RequestPlan, SendOptions } from '../request/call.js';
import { checkInput, readOptions, type ApiInput } from './check-input.js';
import type { RestSettings } from './rest-options.js';

export type BotEndpointName = Exclude<EndpointName, 'user.runCommand'>;

interface ApiConnections extends Pick<CallerOptions, 'pools' | 'limits'> {
  /** Learns the hosts of files from responses. */
  readonly hosts: AttachmentHosts;
}

/** Options of a call. Calls for the answer to an interaction, such as opening uploads, have its priority. */
type ApiCallOptions = Partial<SendOptions>;

/** Maximum number of unexpected fields in a log line. */
const MAX_FIELDS = 10;

/** Checks and plans calls of endpoints, has them sent, and parses their responses. */
export class Api {
  readonly caller: Caller;
  readonly #settings: RestSettings;
  readonly #headers: Record<string, string>;
  readonly #jsonHeaders: Record<string, string>;
  readonly #parts = new WeakMap<PlannedEndpoint, ReturnType<typeof partsOf>>();
  readonly #reported = new Set<BotEndpointName>();

  readonly #hosts: AttachmentHosts;

  constructor(settings: RestSettings, { hosts, ...connections }: ApiConnections) {
    this.#hosts = hosts;
    const { token, userAgent, deadlineMs } = settings;
    this.#settings = settings;
    this.#headers = { authorization: `Bot ${token}`, 'user-agent': userAgent };
    this.#jsonHeaders = { ...this.#headers, 'content-type': 'application/json' };
    const me = ENDPOINTS['users.me'];
    const plan = this.#plan(me, endpointPath(me), {}, deadlineMs);
    // Shows whether the token is valid, and waits for no other call.
    const tokenCheck = { ...plan, lane: 'interaction' } as const;
    this.caller = new Caller({ ...settings, ...connections, tokenCheck });
  }

  /** Sends a request to one endpoint of the table, without parsing the response. Not async: every answer passes here. */
  send(name: BotEndpointName, input: ApiInput = {}, options?: ApiCallOptions): Promise<Accepted> {
    try {
      const endpoint = ENDPOINTS[name];
      checkInput(endpoint, input, this.#settings.token);
      return this.sendTo(endpoint, endpointPath(endpoint, input.parameters), input, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** As `send`, for an endpoint that is not in the table; `path` has the prefix of the API. */
  sendTo(endpoint: PlannedEndpoint, path: string, input: ApiInput, options?: ApiCallOptions) {
    const { name } = endpoint;
    if (this.#settings.closing.aborted && name !== 'voice.closeIngress') {
      const route = `${endpoint.method} ${endpoint.path}`;
      throw clientErrors.E_SHUTTING_DOWN({ endpoint: name, route, attempts: 0, elapsedMs: 0 });
    }
    const call = readOptions(name, options, this.#settings.deadlineMs);
    const plan = this.#plan(endpoint, path, input, call.deadlineMs);
    // A call that prepares an answer to a command, such as opening an upload, waits for no other call either.
    const isForAnswer = call.priority === 'interaction';
    return this.caller.send(isForAnswer ? { ...plan, lane: 'interaction' } : plan, call);
  }

  async call<Value>(
    name: BotEndpointName,
    input?: ApiInput,
    options?: ApiCallOptions,
  ): Promise<Value> {
    return this.parse(name, await this.send(name, input, options));
  }

  /** Parses a response; `Value` is the type that the table states for it. */
  parse<Value>(name: BotEndpointName, accepted: Accepted): Value {
    const value = readAnswer(ENDPOINTS[name], accepted, (fields) => {
      // Once for each endpoint: a line for each response would be a flood.
      if (this.#reported.has(name)) return;
      this.#reported.add(name);
      const message = 'a response has fields of an unexpected type; they are passed on as they are';
      this.#settings.log.warn({ endpoint: name, fields: fields.slice(0, MAX_FIELDS) }, message);
    });
    this.#hosts.learn(name, value);
    const { onBody } = this.#settings;
    if (onBody) {
      const { body } = accepted;
      const { parsed } = parseJson(body);
      // A body that was lost or cannot be read is not an empty one.
      if (parsed !== undefined || body?.byteLength === 0) onBody(name, parsed);
    }
    // The table states its type, and a test reads one body of each shape through every method.
    return value as Value;
  }

  /** Makes the request of an endpoint for a call that may take `deadlineMs`; `path` has the prefix of the API. */
  #plan(
    endpoint: PlannedEndpoint,
    path: string,
    { parameters, query, body }: ApiInput,
    deadlineMs: number,
  ): RequestPlan {
    const { address, profile } = this.#settings;
    const parts = this.#parts.get(endpoint) ?? partsOf(endpoint, profile);
    this.#parts.set(endpoint, parts);
    const hasBody = body !== undefined;
    // Written out: a spread costs every call more than the rest of its plan.
    return {
      endpoint: parts.endpoint,
      route: parts.route,
      lane: parts.lane,
      major: parameters?.[parts.majorName] ?? '',
      retry: parts.retry,
      origin: address.origin,
      method: parts.method,
      path: address.prefix + path + queryString(query),
      headers: hasBody ? this.#jsonHeaders : this.#headers,
      body: hasBody ? toJson(endpoint, body) : null,
      needsBody: parts.needsBody,
      doneBefore: parts.doneBefore,
      patienceMs: parts.isAcknowledgement
        ? ACKNOWLEDGE_PATIENCE_MS
        : Math.max(PATIENCE_MS, deadlineMs / 2),
    };
  }
}

/**
 * Returns the body of a response; `undefined` for a "not shown" shape other than the likely one. Fields that the client
 * needs are checked; others may differ, and `onOdd` gets their names.
 *
 * @throws VirguleError `E_BAD_RESPONSE` for a body that does not have a stated shape.
 */
function readAnswer(
  endpoint: Endpoint,
  accepted: Accepted,
  onOdd: (fields: readonly string[]) => void,
): unknown {
  const { response } = endpoint;
  if (response === null) return undefined;
  const { parsed, reason } = parseJson(accepted.body);
  const isShown = !('notShown' in response);
  if (isShown && reason !== undefined) throw bad(accepted, reason);
  const reading = readLeniently(isShown ? response : response.likely, parsed);
  if (reading.success) {
    const isOdd = reading.odd.length > 0;
    // A list with other items than the likely ones is most likely another list.
    if (isOdd && !isShown && Array.isArray(parsed)) return undefined;
    if (isOdd) onOdd(reading.odd);
    return reading.data;
  }
  if (!isShown) return undefined;
  throw bad(accepted, reading.reason, reading.field);
}

function bad({ status, call }: Accepted, reason: string, field?: string): Error {
  const details = { ...call.facts(), status, reason, field: field || undefined };
  return clientErrors.E_BAD_RESPONSE(details);
}

/** Maximum silence before an answer, in milliseconds; half of the call's deadline if that is longer. */
const PATIENCE_MS = 15_000;

/** Maximum silence for `ack` and `defer`, in milliseconds. The answer window is short, and a repetition is harmless. */
const ACKNOWLEDGE_PATIENCE_MS = 2_500;

interface PlannedEndpoint extends Pick<Endpoint, 'method' | 'path' | 'retry' | 'response'> {
  readonly name: string;
}

/** Returns the common parts of all requests of an endpoint. */
function partsOf({ name, method, path, retry, response }: PlannedEndpoint, profile: Profile) {
  const isAcknowledgement = name === 'interactions.ack' || name === 'interactions.defer';
  return {
    endpoint: name,
    route: `${method} ${path}`,
    lane: name.startsWith('interactions.') ? 'interaction' : 'general',
    isAcknowledgement,
    // Name of the channel, server or interaction in the path, each of which has separate limits.
    majorName: /\{(\w+)\}/.exec(path)?.[1] ?? '',
    retry,
    method,
    needsBody: response !== null && !('notShown' in response),
    doneBefore: (status: number, apiCode: string) =>
      method === 'DELETE'
        ? // The first request has deleted the resource.
          status === 404
        : isAcknowledgement &&
          (isAlreadyAnswered(profile, { status, apiCode }) ||
            isRefusal(profile.refusals.alreadyAnswered, { status, apiCode })),
  } as const;
}

/** @throws VirguleError `E_INVALID_CALL` for a value that JSON cannot represent, such as a circular object. */
function toJson({ name }: PlannedEndpoint, body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const details = { endpoint: name, field: 'body', expected: 'a value that JSON can represent' };
    throw clientErrors.E_INVALID_CALL({ ...details, seen: describeSeen(body) }, { cause });
  }
}

function queryString(query: object | undefined): string {
  // Plain JavaScript may pass null.
  if (!query) return '';
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(key, String(value));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
