import { isPlainObject } from '@virgule/core/objects';
import type { Rest } from '@virgule/client/rest';

/** Returns a REST client whose calls are made by a function, which also gets the arguments. */
export function observedRest(
  rest: Rest,
  observe: (name: string, call: () => unknown, given: readonly unknown[]) => unknown,
): Rest {
  const wrap = <Part extends object>(part: Part, group?: string): Part =>
    new Proxy(part, {
      get(of, key) {
        const member: unknown = Reflect.get(of, key);
        const name = group ? `${group}.${String(key)}` : String(key);
        if (typeof member === 'function' && (group || key === 'request'))
          return (...given: readonly unknown[]) =>
            observe(name, () => Reflect.apply(member, of, given), given);
        return isPlainObject(member) ? wrap(member, name) : member;
      },
    });
  return wrap(rest);
}
