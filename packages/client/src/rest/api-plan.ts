import type { Endpoint } from '@virgule/core/protocol';
import type { RequestPlan } from '../request/call.js';
import { clientErrors } from '../errors/client-errors.js';
import { describeSeen } from './check-input.js';
import type { RestSettings } from './rest-options.js';

export interface ApiInput {
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

/** The answer to one request may take this long, and half of the call's deadline where that is longer. */
const HEADERS_MS = 15_000;

/** Acknowledging is a race against the answer window, and doing it twice is harmless. */
const ACKNOWLEDGE_HEADERS_MS = 2_500;

const BODY_MS = 30_000;

export interface PlannedEndpoint extends Pick<Endpoint, 'method' | 'path' | 'retry' | 'response'> {
  readonly name: string;
}

export type PlanApiRequest = ReturnType<typeof createRequestPlanner>;

export function createRequestPlanner(options: RestSettings) {
  const { address, token, userAgent } = options;
  const headers = { authorization: `Bot ${token}`, 'user-agent': userAgent };
  const jsonHeaders = { ...headers, 'content-type': 'application/json' };
  const plans = new WeakMap<PlannedEndpoint, ReturnType<typeof planEndpoint>>();

  /** Makes the request of an endpoint for a call that may take `deadlineMs`; `path` has the prefix of the API. */
  return (
    endpoint: PlannedEndpoint,
    path: string,
    { parameters, query, body }: ApiInput,
    deadlineMs: number,
  ): RequestPlan => {
    const plan = plans.get(endpoint) ?? planEndpoint(endpoint, options);
    plans.set(endpoint, plan);
    const hasBody = body !== undefined;
    const headersMs = plan.isAcknowledgement
      ? ACKNOWLEDGE_HEADERS_MS
      : Math.max(HEADERS_MS, deadlineMs / 2);
    // Written out: a spread costs every call more than the rest of its plan.
    return {
      endpoint: plan.endpoint,
      route: plan.route,
      lane: plan.lane,
      major: parameters?.[plan.majorName] ?? '',
      retry: plan.retry,
      origin: address.origin,
      method: plan.method,
      path: address.prefix + path + queryString(query),
      headers: hasBody ? jsonHeaders : headers,
      body: hasBody ? toJson(endpoint, body) : null,
      carriesToken: true,
      needsBody: plan.needsBody,
      doneBefore: plan.doneBefore,
      headersMs,
      bodyMs: Math.max(BODY_MS, headersMs),
    };
  };
}

/** Returns what the requests of one endpoint have in common. */
function planEndpoint(
  { name, method, path, retry, response }: PlannedEndpoint,
  { profile: { alreadyAnswered } }: RestSettings,
) {
  const isAcknowledgement = name === 'interactions.ack' || name === 'interactions.defer';
  return {
    endpoint: name,
    route: `${method} ${path}`,
    lane: name.startsWith('interactions.') ? 'interaction' : 'general',
    isAcknowledgement,
    // The channel, server or interaction that its path begins with: limits of one are not those of another.
    majorName: /\{(\w+)\}/.exec(path)?.[1] ?? '',
    retry,
    method,
    needsBody: response !== null && !('notShown' in response),
    doneBefore: (status: number, apiCode: string) =>
      method === 'DELETE'
        ? // What is to be deleted is gone: the first request did it.
          status === 404
        : isAcknowledgement &&
          status === alreadyAnswered.status &&
          apiCode === alreadyAnswered.code,
  } as const;
}

/** @throws VirguleError `E_INVALID_CALL` for what JSON has no form for, such as an object that holds itself. */
function toJson({ name }: PlannedEndpoint, body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const details = { endpoint: name, field: 'body', expected: 'a value that JSON can carry' };
    throw clientErrors.E_INVALID_CALL({ ...details, seen: describeSeen(body) }, { cause });
  }
}

function queryString(query: object | undefined): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(key, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
