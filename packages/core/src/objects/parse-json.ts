import { errorText } from '../errors/error-text.js';
import type * as z from 'zod';

/**
 * Reads JSON that matches a schema. Returns the value, or the reason why there is none.
 *
 * @param read - returns the JSON. It may throw, such as for a file without permission.
 */
export function parseJson<Output>(read: () => string, schema: z.ZodType<Output>) {
  let value: unknown;
  try {
    value = JSON.parse(read());
  } catch (cause) {
    return { reason: errorText(cause), cause };
  }
  const { success, data, error: cause } = schema.safeParse(value);
  if (success) return { data };
  const { path = [], message = '' } = cause.issues[0] ?? {};
  return { reason: [path.join('.'), message].filter(Boolean).join(': '), cause };
}
