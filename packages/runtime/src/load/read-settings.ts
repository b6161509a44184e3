import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';

/**
 * What is wrong with a setting: an unknown key, with those there are, or a value that is not what it must be. The path
 * is that of the setting, without the indexes of lists.
 */
export type SettingFault = { readonly path: readonly string[] } & (
  | { readonly known: readonly string[]; readonly meant: string | undefined }
  | { readonly want: string; readonly saw: unknown; readonly advice: string | undefined }
);

/**
 * Returns the schema of an object without further keys.
 *
 * @param want - what a value must be, as the end of a sentence.
 */
export function settingsObject<Shape extends z.ZodRawShape>(shape: Shape, want: string) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? Object.keys(shape).join(KEY_SEPARATOR) : want,
  });
}

const KEY_SEPARATOR = ', ';

/**
 * Reads settings: as their schema converts them, or what is wrong with them, unknown keys first. The message of each
 * issue of the schema is what the value must be; a custom one may have `advice` in its parameters, a function of the
 * string that was seen.
 */
export function readSettings<Settings>(
  schema: z.ZodType<Settings>,
  value: unknown,
): { readonly data?: Settings | undefined; readonly faults: readonly SettingFault[] } {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  if (!error) return { data, faults: [] };
  const faults = error.issues.flatMap((issue): SettingFault[] => {
    const path = issue.path.filter((part) => typeof part === 'string');
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(KEY_SEPARATOR);
      return issue.keys.map((key) => ({
        path: [...path, key],
        known,
        meant: didYouMean(key, known),
      }));
    }
    const { message: want, input: saw } = issue;
    return [{ path, want, saw, advice: adviceOn(issue, saw) }];
  });
  return { faults: faults.sort((a, b) => Number('want' in a) - Number('want' in b)) };
}

function adviceOn(issue: z.core.$ZodIssue, saw: unknown): string | undefined {
  if (typeof saw !== 'string') return undefined;
  if (issue.code === 'custom') return issue.params?.['advice']?.(saw);
  const meant =
    issue.code === 'invalid_value' ? didYouMean(saw, issue.values.map(String)) : undefined;
  return meant && `Did you mean '${meant}'?`;
}
