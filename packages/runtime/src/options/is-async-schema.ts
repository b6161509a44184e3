import { isObject } from '@virgule/core/objects';
import { definitionOf } from './unsupported-schema.js';

/** Maximum number of visited values, enough for any schema that is written by hand. */
const MAX_VISITS = 10_000;

/**
 * Returns whether a schema contains an async function. A synchronous parse with such a schema would leave an unhandled promise,
 * whose rejection would end the process. A function that returns a promise without being declared `async` is not detected.
 */
export function isAsyncSchema(schema: unknown): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = [schema];
  for (let visits = 0; pending.length > 0 && visits < MAX_VISITS; visits += 1) {
    const value = pending.pop();
    if (typeof value === 'function') {
      if (value.constructor.name === 'AsyncFunction') return true;
      continue;
    }
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    if ('_zod' in value) pending.push(definitionOf(value));
    else pending.push(...partsOf(value));
  }
  return false;
}

/** Returns the members of a definition, except members that would call a function of the author. */
function partsOf(definition: object): unknown[] {
  return Object.entries(Object.getOwnPropertyDescriptors(definition)).flatMap(([key, property]) => {
    if (key === 'defaultValue' || key === 'catchValue') return [];
    return [property.get ? Reflect.get(definition, key) : property.value];
  });
}
