import { isObject } from '@virgule/core/objects';
import type { Rest } from '@virgule/client/rest';
import { derive } from './derive.js';

/** Makes the call of a function of a client, such as `messages.send`. Also gets its arguments. */
type Observe = (name: string, call: () => unknown, given: readonly unknown[]) => unknown;

/** Returns a function that creates REST clients, or groups of one, whose calls are made by a function. */
export function observedRest<Part extends object = Rest>(
  rest: Part,
  group?: string,
): (observe: Observe) => Part {
  const members: Record<string, (observe: Observe) => unknown> = {};
  // The client may be an observed one, whose members are inherited.
  for (const key in rest) {
    const member: unknown = rest[key];
    const name = group ? `${group}.${key}` : key;
    if (typeof member === 'function' && (group || key === 'request'))
      members[key] = (observe) =>
        // With the object of the call, so that `history` calls `list` of the observed group.
        function (this: unknown, ...given: readonly unknown[]) {
          return observe(name, () => Reflect.apply(member, this ?? rest, given), given);
        };
    else if (isObject(member) && !(member instanceof AbortSignal))
      members[key] = observedRest(member, name);
  }
  return derive(rest, members as object);
}
