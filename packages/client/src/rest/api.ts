import {
  endpointPath,
  ENDPOINTS,
  readLeniently,
  type Endpoint,
  type EndpointName,
} from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { Accepted, Caller } from '../request/caller.js';
import type { PriorityClass } from '../request/call.js';
import type { ApiInput, PlanApiRequest, PlannedEndpoint } from './api-plan.js';
import { checkInput, checkOptions } from './check-input.js';
import type { CallOptions, RestSettings } from './rest-options.js';

export type BotEndpointName = Exclude<EndpointName, 'user.runCommand'>;

/** As `CallOptions`; calls for the answer to an interaction, such as opening uploads, have its priority. */
interface ApiCallOptions extends Omit<CallOptions, 'priority'> {
  readonly priority?: PriorityClass | undefined;
}

const NO_OPTIONS: ApiCallOptions = {};

/** The maximum number of unexpected fields that a log line names. */
const MAX_FIELDS = 10;

export class Api {
  readonly #settings: RestSettings;
  readonly #plan: PlanApiRequest;
  readonly #caller: Caller;
  readonly #reported = new Set<BotEndpointName>();

  constructor(settings: RestSettings, plan: PlanApiRequest, caller: Caller) {
    this.#settings = settings;
    this.#plan = plan;
    this.#caller = caller;
  }

  /**
   * Sends a request to one endpoint of the table. Its response is not parsed. Not async, as every answer to a command
   * passes here: what it throws rejects the calls, which are.
   */
  send(name: BotEndpointName, input: ApiInput = {}, options?: ApiCallOptions): Promise<Accepted> {
    const endpoint = ENDPOINTS[name];
    checkInput(endpoint, input, this.#settings.token);
    checkOptions(name, options);
    return this.sendTo(endpoint, endpointPath(endpoint, input.parameters), input, options);
  }

  /** As `send`, for an endpoint that is not in the table; `path` has the prefix of the API. */
  sendTo(
    endpoint: PlannedEndpoint,
    path: string,
    input: ApiInput,
    options = NO_OPTIONS,
  ): Promise<Accepted> {
    const { name } = endpoint;
    if (this.#settings.closing.aborted && name !== 'voice.closeIngress') {
      const route = `${endpoint.method} ${endpoint.path}`;
      throw clientErrors.E_SHUTTING_DOWN({ endpoint: name, route, attempts: 0, elapsedMs: 0 });
    }
    const { signal, priority, onRetry, deadlineMs = this.#settings.deadlineMs } = options;
    const request = this.#plan(endpoint, path, input, deadlineMs);
    return this.#caller.send(request, { signal, deadlineMs, priority, onRetry });
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
      this.#settings.log.warn(
        { endpoint: name, fields: fields.slice(0, MAX_FIELDS) },
        'a response has fields of an unexpected type; they are passed on as they are',
      );
    });
    // The table states its type, and a test reads one body of each shape through every method.
    return value as Value;
  }
}

/**
 * Returns the body of an accepted request in the shape the endpoint promises. What the client needs is
 * checked against it, unexpected fields pass through unchanged, and `onOdd` is called with their names. A shape that
 * is "not shown" and is not the likely one is `undefined`.
 *
 * @throws VirguleError `E_BAD_RESPONSE` when a stated shape is not met.
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

/** Parses a body, or says what is wrong with it. */
export function parseJson(body: Uint8Array | undefined): { parsed?: unknown; reason?: string } {
  if (!body || body.byteLength === 0) return { reason: 'an empty body' };
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    // Some servers put a byte order mark in front, which is no JSON.
    return { parsed: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    // The text itself is left out: it can be long, and it can hold what others sent.
    return { reason: 'a body that is not JSON' };
  }
}

function bad({ status, call }: Accepted, reason: string, field?: string): Error {
  return clientErrors.E_BAD_RESPONSE({
    ...call.facts(),
    status,
    reason,
    field: field || undefined,
  });
}
