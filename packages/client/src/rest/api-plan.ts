import type { Endpoint, Profile } from '@virgule/core/protocol';
import type { Address } from '../address/address.js';
import type { RequestPlan } from '../request/call.js';
import { clientErrors } from '../errors/client-errors.js';
import { describeSeen } from './check-input.js';

/** What a method puts into its request. */
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

export interface RequestPlannerOptions {
  readonly address: Address;
  readonly token: string;
  readonly profile: Profile;
  readonly userAgent: string;
}

/** What a request needs to know about its endpoint. */
export interface PlannedEndpoint extends Pick<Endpoint, 'method' | 'path' | 'retry' | 'response'> {
  readonly name: string;
}

/** Makes the request of an endpoint of the bot's API, for a call that may take `deadlineMs`. */
export type PlanApiRequest = (
  endpoint: PlannedEndpoint,
  /** Complete, with the prefix of the API. */
  path: string,
  input: ApiInput,
  deadlineMs: number,
) => RequestPlan;

type PerCall = 'major' | 'path' | 'headers' | 'body' | 'headersMs' | 'bodyMs';

/** What the requests of one endpoint have in common. */
interface EndpointPlan extends Omit<RequestPlan, PerCall> {
  /** The parameter its path begins with. */
  readonly majorName: string;
  readonly isAcknowledgement: boolean;
}

export function createRequestPlanner(options: RequestPlannerOptions): PlanApiRequest {
  const { address, token, userAgent } = options;
  const headers = { authorization: `Bot ${token}`, 'user-agent': userAgent };
  const jsonHeaders = { ...headers, 'content-type': 'application/json' };
  const plans = new WeakMap<PlannedEndpoint, EndpointPlan>();

  function planOf(endpoint: PlannedEndpoint): EndpointPlan {
    const known = plans.get(endpoint);
    if (known) return known;
    const plan = planEndpoint(endpoint, options);
    plans.set(endpoint, plan);
    return plan;
  }

  return (endpoint, path, { parameters, query, body }, deadlineMs) => {
    const plan = planOf(endpoint);
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
      origin: plan.origin,
      method: plan.method,
      path: address.prefix + path + queryString(query),
      headers: hasBody ? jsonHeaders : headers,
      body: hasBody ? toJson(endpoint, body) : null,
      carriesToken: plan.carriesToken,
      needsBody: plan.needsBody,
      doneBefore: plan.doneBefore,
      headersMs,
      bodyMs: Math.max(BODY_MS, headersMs),
    };
  };
}

function planEndpoint(
  { name, method, path, retry, response }: PlannedEndpoint,
  { address, profile: { alreadyAnswered } }: RequestPlannerOptions,
): EndpointPlan {
  const isAcknowledgement = name === 'interactions.ack' || name === 'interactions.defer';
  return {
    endpoint: name,
    route: `${method} ${path}`,
    lane: name.startsWith('interactions.') ? 'interaction' : 'general',
    // The channel, server or interaction: limits of one are not those of another.
    isAcknowledgement,
    majorName: /\{(\w+)\}/.exec(path)?.[1] ?? '',
    retry,
    origin: address.origin,
    method,
    carriesToken: true,
    needsBody: response !== null && !('notShown' in response),
    doneBefore: (status, apiCode) => {
      // What is to be deleted is gone: the first request did it.
      if (method === 'DELETE') return status === 404;
      return (
        isAcknowledgement && status === alreadyAnswered.status && apiCode === alreadyAnswered.code
      );
    },
  };
}

/** @throws VirguleError `E_INVALID_CALL` for what JSON has no form for, such as an object that holds itself. */
function toJson({ name }: PlannedEndpoint, body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const details = { endpoint: name, field: 'body', expected: 'a value that JSON can carry' };
    throw clientErrors.E_INVALID_CALL({ ...details, seen: describeSeen(body, '') }, { cause });
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
