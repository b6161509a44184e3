import { endpointPath, type Endpoint, type Profile } from '@virgule/core/protocol';
import type { Address } from '../address/resolve-address.js';
import type { RequestPlan } from '../call/request-plan.js';

/** What a method puts into its request. */
export interface ApiInput {
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

const HEADERS_MS = 15_000;

/** Acknowledging is a race against the answer window, and doing it twice is harmless. */
const ACKNOWLEDGE_HEADERS_MS = 2_500;

const BODY_MS = 30_000;

const isAcknowledgement = ({ name }: Endpoint): boolean =>
  name === 'interactions.ack' || name === 'interactions.defer';

export interface ApiPlanOptions {
  readonly address: Address;
  readonly token: string;
  readonly profile: Profile;
}

/** The request of an endpoint of the bot's API. */
export function planApiRequest(
  endpoint: Endpoint,
  input: ApiInput,
  { address, token, profile }: ApiPlanOptions,
): RequestPlan {
  const { name, method } = endpoint;
  const hasBody = input.body !== undefined;
  return {
    endpoint: name,
    route: `${method} ${endpoint.path}`,
    lane: name.startsWith('interactions.') ? 'interaction' : 'general',
    major: majorId(endpoint, input),
    retry: endpoint.retry,
    origin: address.origin,
    method,
    path: address.prefix + endpointPath(endpoint, input.parameters) + queryString(input.query),
    // Written out twice: a spread costs every call more than the rest of its plan.
    headers: hasBody
      ? {
          authorization: `Bot ${token}`,
          'user-agent': 'Virgule',
          'content-type': 'application/json',
        }
      : { authorization: `Bot ${token}`, 'user-agent': 'Virgule' },
    body: hasBody ? JSON.stringify(input.body) : null,
    carriesToken: true,
    needsBody: endpoint.response !== null && !('notShown' in endpoint.response),
    doneBefore: (status, apiCode) => {
      // What is to be deleted is gone: the first request did it.
      if (method === 'DELETE') return status === 404;
      const { alreadyAnswered } = profile;
      return (
        isAcknowledgement(endpoint) &&
        status === alreadyAnswered.status &&
        apiCode === alreadyAnswered.code
      );
    },
    headersMs: isAcknowledgement(endpoint) ? ACKNOWLEDGE_HEADERS_MS : HEADERS_MS,
    bodyMs: BODY_MS,
  };
}

/** The first parameter of each path; searched for once, since every call asks. */
const majorNames = new Map<string, string>();

/** The channel, server or interaction a path begins with: limits of one are not those of another. */
function majorId({ path }: Endpoint, { parameters }: ApiInput): string {
  let name = majorNames.get(path);
  if (name === undefined) {
    name = /\{(\w+)\}/.exec(path)?.[1] ?? '';
    majorNames.set(path, name);
  }
  return parameters?.[name] ?? '';
}

function queryString(query: object | undefined): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(key, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
