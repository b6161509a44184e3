import { ENDPOINTS, type ReactionMutationRequest } from '@virgule/core/protocol';
import type { Api, ApiInput, BotEndpointName } from './api.js';
import type { Rest } from './create-rest.js';
import type { CallOptions } from './rest-options.js';

type Calls = Omit<
  Rest,
  'request' | 'tokenRefused' | 'limits' | 'exchangePauses' | 'close' | typeof Symbol.asyncDispose
>;

/** The body of a reaction: both keys are always sent, and the one that does not apply is null. */
function bothKeys(emoji: unknown): object {
  // Plain JavaScript may pass a string, nothing, or both; the check of the body then reports it.
  const { unicodeEmoji = null, customEmojiId = null } = Object(
    emoji,
  ) as Partial<ReactionMutationRequest>;
  return { unicodeEmoji, customEmojiId };
}

/** How the bodies are made that are not the argument itself. */
const TO_BODY: Partial<Readonly<Record<string, (value: unknown) => object>>> = {
  'reactions.add': bothKeys,
  'reactions.remove': bothKeys,
  'reactions.removeUser': bothKeys,
  'commands.replace': (commands) => ({ commands }),
};

/**
 * Creates a method for each row of the table of endpoints: it takes the ids of its path in their order, then the
 * query or the body if it has one, then the options. Those that do more than one request are not among them.
 */
export function createMethods(api: Api): Calls {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name } of Object.values(ENDPOINTS)) {
    if (name === 'user.runCommand') continue;
    const [group = '', method = ''] = name.split('.');
    (groups[group] ??= {})[method] = createMethod(api, name);
  }
  // The interfaces state the types, and a test sends a request through each method. What is missing is added by
  // the caller.
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
    for (let index = 0; index < ids.length; index += 1) {
      parameters[ids[index] ?? ''] = args[index];
    }
    const payload = payloadAt < 0 ? undefined : args[payloadAt];
    const input = {
      parameters,
      query: query && payload,
      body: body && (toBody ? toBody(payload) : payload),
    };
    // The checks of each call do not rely on the types.
    return api.call(name, input as ApiInput, args[optionsAt] as CallOptions | undefined);
  };
}
