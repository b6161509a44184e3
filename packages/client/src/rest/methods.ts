import { ENDPOINTS } from '@virgule/core/protocol';
import type { Api, BotEndpointName } from './api-call.js';
import type { ApiInput } from './api-plan.js';
import type { Rest } from './create-rest.js';
import type { CallOptions } from './rest-options.js';

/** The method that calls an endpoint: `messages.get` is `Rest['messages']['get']`. */
type MethodOf<Name extends BotEndpointName> =
  Name extends `${infer Group extends keyof Rest & string}.${infer Method}`
    ? Method extends keyof Rest[Group]
      ? Rest[Group][Method]
      : never
    : never;

/** Creates the method of an endpoint. `toBody` makes its body of the argument. */
export type CreateMethod = <Name extends BotEndpointName>(
  name: Name,
  toBody?: (value: unknown) => object,
) => MethodOf<Name>;

/**
 * Creates methods from the table of endpoints: each takes the ids of its path in their order, then the query or
 * the body if it has one, then the options.
 */
export function createMethods(api: Api): CreateMethod {
  return <Name extends BotEndpointName>(name: Name, toBody?: (value: unknown) => object) => {
    const { path, query, body } = ENDPOINTS[name];
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id);
    const payloadAt = query || body ? ids.length : -1;
    const method = (...args: readonly unknown[]): Promise<unknown> => {
      const parameters: Record<string, unknown> = {};
      for (let index = 0; index < ids.length; index += 1) {
        parameters[ids[index] ?? ''] = args[index];
      }
      const payload = payloadAt < 0 ? undefined : args[payloadAt];
      const input = {
        parameters,
        query: query && payload,
        body: body && (toBody ? toBody(payload) : payload),
      };
      // The interfaces state the types of the arguments, and the checks of each call do not rely on them.
      return api.call(
        name,
        input as ApiInput,
        args[Math.max(payloadAt, ids.length - 1) + 1] as CallOptions | undefined,
      );
    };
    return method as MethodOf<Name>;
  };
}
