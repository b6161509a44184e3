import type { VirguleError } from '@virgule/core/errors';
import { stringsIn } from '@virgule/core/objects';
import type * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locatePath, type SourceFile } from '../options/locate-key.js';
import { declaredSecrets, SECRET_MIN_LENGTH } from './secrets-of.js';

export interface CheckedEnv {
  /** Output of the schema; empty if there are problems. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values of declared variables that no log may show, and strings that the schema made from them. */
  readonly secrets: readonly string[];
  readonly problems: readonly VirguleError[];
}

/** Minimum length of values that are removed from the messages of the schema. */
const ECHO_MIN_LENGTH = 3;

/** Checks the declared variables of the environment against the config's `env` schema. Problems never contain a value. */
export async function checkEnv(
  schema: z.ZodObject | undefined,
  env: Readonly<Record<string, string | undefined>>,
  place: SourceFile = { file: 'virgule.config.ts' },
): Promise<CheckedEnv> {
  if (!schema) return { values: {}, secrets: [], problems: [] };
  const fields = Object.entries<z.ZodType>(schema.shape);
  // An empty variable counts as missing: shells and .env files may write an omitted variable as empty.
  const texts = new Map(fields.flatMap(([name]) => (env[name] ? [[name, env[name]]] : [])));
  const secrets = declaredSecrets(schema, env);
  const { data, issues: found } = await parse(schema, Object.fromEntries(texts));
  if (!found) {
    const made = fields.flatMap(([name]) =>
      secrets.includes(texts.get(name) ?? '') ? stringsIn(data[name], SECRET_MIN_LENGTH) : [],
    );
    return {
      values: Object.freeze(data),
      secrets: [...new Set([...secrets, ...made])],
      problems: [],
    };
  }

  const byName = new Map<string, z.core.$ZodIssue[]>();
  for (const issue of found) {
    const name = String(issue.path[0] ?? '');
    byName.set(name, [...(byName.get(name) ?? []), issue]);
  }
  const echoes = [...texts.values()].filter((text) => text.length >= ECHO_MIN_LENGTH);
  const withoutValues = (message: string): string =>
    echoes.reduce((shown, text) => shown.replaceAll(text, '…'), message);
  const problems = [...byName].map(([name, issues]) => {
    const details = {
      kind: 'variable',
      name,
      isSet: texts.has(name),
      about: fields.find(([key]) => key === name)?.[1].description,
      faults: issues.map(({ message }) => withoutValues(message)),
      wantsOther: issues.some(isOtherType),
    } as const;
    const location = locatePath(place, name === '' ? ['env'] : ['env', name]);
    return runtimeErrors.E_ENV_INVALID(details, { location });
  });
  return { values: {}, secrets, problems };
}

/** Parses variables. A transform that throws becomes an issue of its variable, because its error may contain the value. */
async function parse(schema: z.ZodObject, texts: Record<string, string>) {
  try {
    const { data = {}, error } = await schema.safeParseAsync(texts);
    return { data, issues: error?.issues };
  } catch {
    const fields = Object.entries<z.ZodType>(schema.shape);
    const parsed = await Promise.allSettled(
      fields.map(([name, field]) => field.safeParseAsync(texts[name])),
    );
    const thrown = fields.filter((_, index) => parsed[index]?.status === 'rejected');
    const issues = thrown.map(([name]) => issueOf([name]));
    return { data: {}, issues: issues.length > 0 ? issues : [issueOf([])] };
  }
}

const issueOf = (path: string[]): z.core.$ZodIssue => ({
  code: 'custom',
  path,
  message: 'the schema threw an error',
  input: undefined,
});

/** Returns whether the schema expects a type other than string, which no variable has. */
const isOtherType = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && ['number', 'int', 'boolean'].includes(issue.expected);
