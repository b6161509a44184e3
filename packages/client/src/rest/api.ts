import type { Log } from '@virgule/core/log';
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
import type { CallOptions } from './rest-options.js';

/** The endpoints of a bot. */
export type BotEndpointName = Exclude<EndpointName, 'user.runCommand'>;

/** As `CallOptions`; calls for the answer to an interaction, such as opening uploads, have its priority. */
interface ApiCallOptions extends Omit<CallOptions, 'priority'> {
  readonly priority?: PriorityClass | undefined;
}

/** Sends the requests of all methods. */
export interface Api {
  /** Sends a request to one endpoint of the table. Its response is not parsed. */
  send(name: BotEndpointName, input?: ApiInput, options?: ApiCallOptions): Promise<Accepted>;
  /** `send` and `parse`. */
  call<Value>(name: BotEndpointName, input?: ApiInput, options?: ApiCallOptions): Promise<Value>;
  /** As `send`, for an endpoint that is not in the table; `path` has the prefix of the API. */
  sendTo(
    endpoint: PlannedEndpoint,
    path: string,
    input: ApiInput,
    options?: ApiCallOptions,
  ): Promise<Accepted>;
  /** Parses a response; `Value` is the type that the table states for it. */
  parse<Value>(name: BotEndpointName, accepted: Accepted): Value;
}

export interface ApiOptions {
  readonly plan: PlanApiRequest;
  readonly caller: Caller;
  /** Only to keep it out of errors. */
  readonly token: string;
  /** Time for a call that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
  readonly log: Log;
  /** Aborted when the client closes: from then on only what has to be closed is. */
  readonly closing: AbortSignal;
}

const NO_OPTIONS: ApiCallOptions = {};

/** The maximum number of unexpected fields that a log line names. */
const MAX_FIELDS = 10;

export function createApi({ plan, caller, token, deadlineMs, log, closing }: ApiOptions): Api {
  const reported = new Set<BotEndpointName>();

  const api: Api = {
    // Not async: every answer to a command passes here. What it throws rejects the calls, which are.
    send(name, input = {}, options) {
      const endpoint = ENDPOINTS[name];
      checkInput(endpoint, input, token);
      checkOptions(name, options);
      return api.sendTo(endpoint, endpointPath(endpoint, input.parameters), input, options);
    },
    call: async (name, input, options) => api.parse(name, await api.send(name, input, options)),
    sendTo(endpoint, path, input, options = NO_OPTIONS) {
      const { name } = endpoint;
      if (closing.aborted && name !== 'voice.closeIngress') {
        const route = `${endpoint.method} ${endpoint.path}`;
        throw clientErrors.E_SHUTTING_DOWN({ endpoint: name, route, attempts: 0, elapsedMs: 0 });
      }
      const { signal, priority, onRetry } = options;
      const forMs = options.deadlineMs ?? deadlineMs;
      const request = plan(endpoint, path, input, forMs);
      return caller.send(request, { signal, deadlineMs: forMs, priority, onRetry });
    },
    parse<Value>(name: BotEndpointName, accepted: Accepted): Value {
      const value = readAnswer(ENDPOINTS[name], accepted, (fields) => {
        // Once for each endpoint: a line for each response would be a flood.
        if (reported.has(name)) return;
        reported.add(name);
        log.warn(
          { endpoint: name, fields: fields.slice(0, MAX_FIELDS) },
          'a response has fields of an unexpected type; they are passed on as they are',
        );
      });
      // The table states its type, and a test reads one body of each shape through every method.
      return value as Value;
    },
  };
  return api;
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
    field: field === '' ? undefined : field,
  });
}
