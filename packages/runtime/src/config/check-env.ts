import type { VirguleError } from '@virgule/core/errors';
import type * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locatePath, type SourceFile } from '../options/locate-key.js';
import { declaredSecrets, partsOf } from './secrets-of.js';

export interface CheckedEnv {
  /** The output of the schema; empty if there are problems. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Declared variables that no log may show, and the strings that the schema made of them. */
  readonly secrets: readonly string[];
  readonly problems: readonly VirguleError[];
}

/** A value of at least this length is removed from the messages of its schema. */
const ECHO_MIN_LENGTH = 3;

/**
 * Checks the environment against the config's `env` schema: all declared variables, and no others. No
 * problem contains a value.
 */
export async function checkEnv(
  schema: z.ZodObject | undefined,
  env: Readonly<Record<string, string | undefined>>,
  place: SourceFile = { file: 'virgule.config.ts' },
  isOfTest = false,
): Promise<CheckedEnv> {
  if (!schema) return { values: {}, secrets: [], problems: [] };
  const fields = Object.entries<z.ZodType>(schema.shape);
  // Shells and .env files write an omitted variable as an empty one.
  const texts = new Map(fields.flatMap(([name]) => (env[name] ? [[name, env[name]]] : [])));
  const secrets = declaredSecrets(schema, env);
  const parsed = await parse(schema, Object.fromEntries(texts));
  if (parsed.issues === undefined) {
    const made = fields.flatMap(([name]) =>
      secrets.includes(texts.get(name) ?? '') ? partsOf(parsed.data[name]) : [],
    );
    return {
      values: Object.freeze(parsed.data),
      secrets: [...new Set([...secrets, ...made])],
      problems: [],
    };
  }

  const byName = new Map<string, z.core.$ZodIssue[]>();
  for (const issue of parsed.issues) {
    const name = String(issue.path[0] ?? '');
    byName.set(name, [...(byName.get(name) ?? []), issue]);
  }
  const echoes = [...texts.values()].filter((text) => text.length >= ECHO_MIN_LENGTH);
  const withoutValues = (message: string): string =>
    echoes.reduce((shown, text) => shown.replaceAll(text, '…'), message);
  const problems = [...byName].map(([name, issues]) =>
    runtimeErrors.E_ENV_INVALID(
      {
        kind: 'variable',
        name,
        isSet: texts.has(name),
        about: fields.find(([key]) => key === name)?.[1].description,
        faults: issues.map(({ message }) => withoutValues(message)),
        wantsOther: issues.some(isOtherType),
        isOfTest,
      },
      { location: locatePath(place, name === '' ? ['env'] : ['env', name]) },
    ),
  );
  return { values: {}, secrets, problems };
}

type Parsed =
  | { readonly data: Record<string, unknown>; readonly issues?: never }
  | { readonly issues: readonly z.core.$ZodIssue[] };

/** Parses variables. A transform that throws is an issue of its variable: its error may contain the value. */
async function parse(schema: z.ZodObject, texts: Record<string, string>): Promise<Parsed> {
  try {
    const { data, error } = await schema.safeParseAsync(texts);
    return error ? { issues: error.issues } : { data };
  } catch {
    const fields = Object.entries<z.ZodType>(schema.shape);
    const thrown = await Promise.all(
      fields.map(async ([name, field]) =>
        (await hasThrown(field, texts[name])) ? [issueOf([name])] : [],
      ),
    );
    const issues = thrown.flat();
    return { issues: issues.length > 0 ? issues : [issueOf([])] };
  }
}

const issueOf = (path: string[]): z.core.$ZodIssue => ({
  code: 'custom',
  path,
  message: 'the schema threw an error',
  input: undefined,
});

const hasThrown = (field: z.ZodType, text: string | undefined): Promise<boolean> =>
  field.safeParseAsync(text).then(
    () => false,
    () => true,
  );

/** Returns whether the schema expects a type that no variable has: they are all strings. */
function isOtherType(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && ['number', 'int', 'boolean'].includes(issue.expected);
}
