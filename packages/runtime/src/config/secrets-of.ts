import type * as z from 'zod';
import { areIds } from '../options/references.js';
import { choicesOf, unwrap } from '../options/unwrap.js';
import type { Env } from '../process/read-env.js';
import { isSecretName } from '../process/redact-line.js';
import type { ConfigResult } from './read-config.js';

/** Minimum length of a secret. Redacting shorter strings would remove common words from every line of the log. */
export const SECRET_MIN_LENGTH = 8;
/** Pattern of a URL with a password: `scheme://user:password@`. */
const HAS_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*:[^/\s]+@/i;

/** Names of variables whose ids the log shows, such as those of owners. An id such as VAULT_SECRET_ID is a secret. */
const ID_NAME = /(?<!secret|token|session|key)(?:_ID|ADMIN|CHANNEL|OWNER|SERVER|USER)S?$/i;

/**
 * Returns the values of an environment that must not be shown: the token of the bot, the secret variables that the
 * settings declare, and every other variable that looks like a secret, by its name or as a URL with a password.
 */
export function secretsOf(env: Env, settings?: ConfigResult): string[] {
  const token = env['BOT_TOKEN'];
  const schema = settings?.config.env;
  const likely = Object.entries(env).flatMap(([name, text = '']) =>
    !(schema && name in schema.shape) && isLikelySecret(name, text) ? [text] : [],
  );
  return [...(token ? [token] : []), ...declaredSecrets(schema, env), ...likely];
}

/** Returns the values of variables that a schema declares, except public ones. */
export function declaredSecrets(schema: z.ZodObject | undefined, env: Env): string[] {
  return Object.entries<z.ZodType>(schema?.shape ?? {}).flatMap(([name, field]) => {
    const text = env[name];
    const isId = ID_NAME.test(name) && areIds(text);
    return text && isSecret(text, field, isId) ? [text] : [];
  });
}

/**
 * Returns whether the value of a variable is redacted in the log. `.meta({ secret })` decides; without it, every value
 * that is long enough to be a secret is redacted, unless it is an id or the schema lists it as a choice.
 */
function isSecret(text: string, field: z.ZodType, isId: boolean): boolean {
  const { inner, meta } = unwrap(field);
  const { secret } = meta;
  if (typeof secret === 'boolean') return secret;
  return text.length >= SECRET_MIN_LENGTH && !isId && !choicesOf(inner)?.includes(text);
}

const isLikelySecret = (name: string, text: string): boolean =>
  text.length >= SECRET_MIN_LENGTH &&
  (isSecretName(name) || /(?:key|dsn)$/i.test(name) || HAS_PASSWORD.test(text));
