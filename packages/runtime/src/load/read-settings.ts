import { didYouMean } from '@virgule/core/text';
import * as z from 'zod';

/**
 * A fault of a setting: an unknown key, with the known keys, or an invalid value. The path leads to the setting, without
 * the indexes of lists.
 */
export type SettingFault = { readonly path: readonly string[] } & (
  | { readonly known: readonly string[]; readonly meant: string | undefined }
  | { readonly want: string; readonly saw: unknown; readonly advice: string | undefined }
);

/**
 * Returns a schema for objects with exactly the keys of a shape.
 *
 * @param want - description of a valid value, as the end of a sentence.
 */
export function settingsObject<Shape extends z.ZodRawShape>(shape: Shape, want: string) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? Object.keys(shape).join(KEY_SEPARATOR) : want,
  });
}

const KEY_SEPARATOR = ', ';

/**
 * Parses settings by their schema. Returns the parsed settings, or the faults, unknown keys first. The message of each
 * issue of the schema describes a valid value. The parameters of a custom issue may contain `advice`, a function that
 * takes the invalid string.
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
