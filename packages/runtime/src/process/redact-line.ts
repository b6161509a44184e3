import { CENSOR, type Redactor } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';

/**
 * Returns a line of JSON without secrets: without those of the redactor, and without the values of keys such
 * as `token`, at any depth. It stays JSON, whatever the secrets are. Works on the serialized line, so there
 * are no cycles, and a line without secrets costs a single search.
 */
export function redactLine(line: string, redact: Redactor): string {
  const clean = redact(line);
  if (clean === line && !SECRET_KEY.test(line)) return line;
  try {
    return `${JSON.stringify(redactMembers(JSON.parse(line), redact, FRAME))}\n`;
  } catch {
    return clean;
  }
}

/** The keys of a line that readers of a log need, even if a secret has the same letters. */
const FRAME: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value);
  // A number with some digits of a secret is another number.
  if (typeof value === 'number') return redact(String(value)) === CENSOR ? CENSOR : value;
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  return redactMembers(value, redact);
}

const redactMembers = (value: object, redact: Redactor, kept?: ReadonlySet<string>): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      kept?.has(key) ? key : redact(key),
      isSecretName(key) ? censor(item) : redactValue(item, redact),
    ]),
  );

/** Censors a value. `hasToken: true` and `token: null` reveal nothing. */
const censor = (value: unknown): unknown =>
  value === null || typeof value === 'boolean' ? value : CENSOR;

/** The end of the name of a secret. */
const ENDING =
  '(?:token|secrets?|passw(?:or)?d|passphrase|authorization|credentials?|cookie|(?:stream|api|access|secret|signing|private)[-_]?key)';
const SECRET_NAME = new RegExp(`${ENDING}$`, 'i');

/** Finds the name of a secret among the keys of JSON. */
const SECRET_KEY = new RegExp(`${ENDING}":`, 'i');

/** Returns whether a name is that of a secret: `accessToken`, `X-Api-Key`, `DB_PASSWORD`. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
