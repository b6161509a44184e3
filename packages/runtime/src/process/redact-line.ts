import { CENSOR, type Redactor } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';

/**
 * Removes secrets from a line of JSON: the secrets of the redactor, and the values of keys such as `token` at
 * any depth. The result is always valid JSON. Works on the serialized line, so there are no cycles, and a line
 * without secrets costs a single search.
 */
export function redactLine(line: string, redact: Redactor): string {
  const clean = redact(line);
  if (clean === line && !SECRET_KEY.test(line)) return line;
  const safe = (key: string, value: unknown): unknown => {
    if (isSecretName(key)) return censor(value);
    if (typeof value === 'string') return redact(value);
    // A number is censored only if its whole text is a secret.
    if (typeof value === 'number') return redact(String(value)) === CENSOR ? CENSOR : value;
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [FRAME.has(name) ? name : redact(name), each]),
    );
  };
  try {
    return `${JSON.stringify(JSON.parse(line, safe))}\n`;
  } catch {
    return clean;
  }
}

/** Removes secrets from lines of JSON, with a single search for all lines if they contain none. */
export const redactLines = (lines: string, redact: Redactor): string =>
  redact(lines) === lines && !SECRET_KEY.test(lines)
    ? lines
    : lines.replaceAll(/[^\n]*\n/g, (line) => redactLine(line, redact));

/** Keys that are kept even if a secret has the same letters, because readers of a log need them. */
const FRAME: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/** Censors a value, except booleans and `null`: `hasToken: true` and `token: null` reveal nothing. */
const censor = (value: unknown): unknown =>
  value === null || typeof value === 'boolean' ? value : CENSOR;

/** Pattern for the end of the name of a secret. */
const ENDING =
  '(?:token|secrets?|passw(?:or)?d|passphrase|authorization|credentials?|cookie|(?:stream|api|access|secret|signing|private)[-_]?key)';
const SECRET_NAME = new RegExp(`${ENDING}$`, 'i');

/** Pattern for a key in JSON that is the name of a secret. */
const SECRET_KEY = new RegExp(`${ENDING}":`, 'i');

/** Returns whether a name is the name of a secret: `accessToken`, `X-Api-Key`, `DB_PASSWORD`. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);
