import type { Log } from '@virgule/core/log';
import { API_PREFIX, ENDPOINTS, type Endpoint, type EndpointName } from '@virgule/core/protocol';
import { emptyAnswer, jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { createRouter } from '../server/router.js';
import { parseJson, validateBody, validateIds, validateQuery } from '../server/validate.js';
import { groupOf } from '../trace/trace-exchange.js';
import type { Trace } from '../trace/trace.js';
import { botWithToken } from '../world/bots.js';
import { isTokenOf } from '../world/build-world.js';
import { Refusal } from '../world/refusal.js';
import type { UserRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import type { Call } from './call.js';
import { handlers } from './handlers.js';

/** Maximum size of a JSON body, in bytes: 5,000 commands with options have about 2 MB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Maximum length of an unknown path in messages, in characters. */
const MAX_PATH_LENGTH = 200;

export type RestApi = ReturnType<typeof createRestApi>;

/** Creates the REST interface of the platform: the table of endpoints over HTTP. */
export function createRestApi(world: World, log: Log, trace: Trace) {
  const endpoints = Object.values(ENDPOINTS);
  const router = createRouter(
    endpoints.map((endpoint) => ({
      method: endpoint.method,
      path: API_PREFIX[endpoint.api] + endpoint.path,
      value: endpoint,
    })),
  );
  // fromEntries loses the keys; the table has every name.
  const requests = Object.fromEntries(endpoints.map(({ name }) => [name, 0])) as Record<
    EndpointName,
    number
  >;
  let unknownRoutes = 0;

  /** Returns the user or bot with the token of an `Authorization` header. */
  function authenticate({ api }: Endpoint, header = ''): UserRecord {
    const { state } = world;
    const token = header.startsWith('Bot ') ? header.slice(4) : '';
    const caller =
      api === 'bot'
        ? state.users.get(botWithToken(state, token)?.botUserId ?? '')
        : // The list of users can change at any time.
          [...state.users.values()].find((user) => !user.isBot && isTokenOf(world, user, header));
    if (caller !== undefined) return caller;
    const scheme = api === 'bot' ? 'Bot' : 'Bearer';
    const message = `The header "Authorization: ${scheme} <token>" is missing or its token is invalid.`;
    throw new Refusal(401, 'bot_unauthorized', message);
  }

  function unknownRoute({ method, ...incoming }: Incoming): Refusal {
    unknownRoutes += 1;
    const methods = router.methods(incoming.path).join(', ');
    const path = incoming.path.slice(0, MAX_PATH_LENGTH);
    const message = `${method} ${path} is not part of the Bot Interface`;
    log.warn({ method, path }, `unknown route: ${message}`);
    const hint = methods === '' ? 'No endpoint has this path.' : `This path supports ${methods}.`;
    return new Refusal(501, 'sim_not_implemented', `${message}. ${hint}`, { method, path });
  }

  return {
    /** Number of requests per endpoint, including rejected ones. */
    requests: requests as Readonly<Record<EndpointName, number>>,
    /** Number of requests to unknown endpoints. */
    get unknownRoutes() {
      return unknownRoutes;
    },
    endpointOf: (method: string, path: string): Endpoint | undefined =>
      router.match(method, path)?.value,
    /** @throws Refusal when the request is rejected. */
    async handle(incoming: Incoming): Promise<Answer> {
      const match = router.match(incoming.method, incoming.path);
      if (match === undefined) throw unknownRoute(incoming);
      const { value: endpoint, parameters } = match;
      requests[endpoint.name] += 1;
      const caller = authenticate(endpoint, incoming.headers.authorization);
      const { profile } = world;
      validateIds(parameters);
      const { query, body } = endpoint;
      const call = {
        endpoint,
        world,
        parameters,
        caller,
        origin: incoming.origin,
        query: query && validateQuery(query, incoming.query, profile),
        body: body && validateBody(body, parseJson(await incoming.body(MAX_BODY_BYTES)), profile),
      };
      // The schemas of the endpoint returned the query and body that its handler takes.
      const handler = handlers[endpoint.name] as (call: Call) => unknown;
      const group = groupOf(incoming.path, incoming.headers);
      const result = trace.within(group, () => handler(call as Call));
      return result === undefined ? emptyAnswer() : jsonAnswer(200, result);
    },
  };
}
