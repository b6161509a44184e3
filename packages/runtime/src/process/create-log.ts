import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { createRedactor, type Log, type LogLevel, type Redactor } from '@virgule/core/log';
import { isObject, isPlainObject, orUndefined } from '@virgule/core/objects';
import { LOG_LEVELS, type LogLevelName } from '../config/define-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createBufferedOutput } from './buffered-output.js';
import { isSecretName, redactLine } from './redact-line.js';

export interface LogOptions {
  /** Lowest level that is written: one of `LOG_LEVELS`. @defaultValue `'info'` */
  readonly level?: string | undefined;
  /** Destination of the lines. @defaultValue standard output */
  readonly destination?: { readonly write: (line: string) => unknown } | undefined;
  /** Prefix of each line. @defaultValue none */
  readonly prefix?: string | undefined;
  /**
   * `true` to collect lines on standard output, up to 32 KiB or for 100 ms: a system call for each line costs several
   * times as much as the line. The rest is written when the process ends, unless the process is killed.
   * @defaultValue `false`
   */
  readonly buffered?: boolean | undefined;
  /** Redactor that removes secrets from every line; `hide` adds secrets. @defaultValue a redactor without secrets */
  readonly redact?: Redactor | undefined;
}

/** Numbers of the levels in a line, as in the logs of pino, which many tools read. */
const NUMBERS: Readonly<Record<LogLevelName, number>> = {
  fatal: 60,
  error: 50,
  warn: 40,
  info: 30,
  debug: 20,
  trace: 10,
  silent: Infinity,
};

const isLevel = (text: string): text is LogLevelName => Object.hasOwn(NUMBERS, text);

/**
 * Creates a log that writes one JSON object per line, without the secrets of `redact` and without the values
 * of keys such as `token`.
 *
 * @throws VirguleError `E_ENV_INVALID` if the level is unknown.
 */
export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', destination, prefix = '', buffered = false } = options;
  const { redact = createRedactor() } = options;
  if (!isLevel(level))
    throw runtimeErrors.E_ENV_INVALID({ kind: 'log-level', saw: level, known: LOG_LEVELS });
  const lowest = NUMBERS[level];
  const target = destination ?? (buffered ? createBufferedOutput(1) : process.stdout);
  const isLevelEnabled = (name: LogLevel): boolean => NUMBERS[name] >= lowest;
  const writer = (name: LogLevel): Log[LogLevel] => {
    if (!isLevelEnabled(name)) return () => {};
    const number = NUMBERS[name];
    return (details, message) => {
      const line = plainLine(number, details, message);
      if (line !== undefined && redact(line) === line) target.write(prefix + line);
      else target.write(prefix + redactLine(line ?? fullLine(number, details, message), redact));
    };
  };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    isLevelEnabled,
    hide: (texts) => redact.hide(texts),
  };
}

const MAX_KEYS = 1_000;
/** Keys as in a line; `null` for keys whose values are not written as they are. */
const keyTexts = new Map<string, string | null>([['err', null]]);

/** Returns a key as in a line; `null` if its value is not written as it is. */
function keyText(key: string): string | null {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = isSecretName(key) ? null : `,${jsonText(key)}:`;
  if (keyTexts.size < MAX_KEYS) keyTexts.set(key, text);
  return text;
}

const NO_ESCAPES = /^[ !#-[\]-~]*$/;
const jsonText = (text: string): string =>
  NO_ESCAPES.test(text) ? `"${text}"` : JSON.stringify(text);

/**
 * Returns the line if all details are strings and numbers, as those of a command; `undefined` for other details. Every other
 * way takes at least twice as long.
 */
function plainLine(level: number, details: object, message: string): string | undefined {
  if (!isPlainObject(details) || typeof message !== 'string') return undefined;
  let line = `{"level":${level},"time":${Date.now()}`;
  for (const key of Object.keys(details)) {
    const value = details[key];
    if (value === undefined) continue;
    const text = keyText(key);
    if (text === null) return undefined;
    if (typeof value === 'string') line += text + jsonText(value);
    else if (typeof value === 'number' && Number.isFinite(value)) line += text + value;
    else return undefined;
  }
  return `${line},"msg":${jsonText(message)}}\n`;
}

/** Returns the line of any details, with errors described under every key. */
function fullLine(level: number, details: object, message: string): string {
  const given = details instanceof Error ? { err: details } : details;
  const shown = Object.entries(given).map(([key, value]) => [
    key,
    key === 'err' ? describeError(value) : describeValue(value),
  ]);
  const line = { level, time: Date.now(), ...Object.fromEntries(shown), msg: message };
  return `${orUndefined(() => JSON.stringify(line)) ?? JSON.stringify(plainCopy(line))}\n`;
}

function describeValue(value: unknown): unknown {
  const readable = isObject(value) ? readableError(value) : value;
  return readable instanceof Error ? describeError(readable) : readable;
}

/** Maximum depth of a line with a value that JSON does not support, and maximum number of members at each level. */
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;

/** Returns a copy without circular references, big integers and members that throw. `above` contains the objects around `value`. */
function plainCopy(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!isObject(value)) return value;
  if (above.includes(value)) return '[Circular]';
  if (above.length === MAX_DEPTH) return Array.isArray(value) ? '[Array]' : '[Object]';
  const inside = [...above, value];
  const copy = (): unknown => {
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return plainCopy(value.toJSON(), inside);
    if (Array.isArray(value))
      return value.slice(0, MAX_MEMBERS).map((each) => plainCopy(each, inside));
    const members = Object.entries(value).slice(0, MAX_MEMBERS);
    return Object.fromEntries(members.map(([key, each]) => [key, plainCopy(each, inside)]));
  };
  return orUndefined(copy) ?? '[unreadable]';
}

/** Maximum depth of a chain of causes. Errors can be each other's cause. */
const MAX_CAUSES = 5;

/** Maximum number of errors of an `AggregateError` in a line. */
const MAX_ERRORS = 10;

const describeAll = (errors: readonly unknown[], depth: number): unknown =>
  depth < MAX_CAUSES
    ? errors.slice(0, MAX_ERRORS).map((each) => describeError(each, depth + 1))
    : errors.length;

/** Converts an error to plain data. Errors of kind `user` have no stack, since the stack would point into Virgule, not at the cause. */
function describeError(thrown: unknown, depth = 0): unknown {
  const error = readableError(thrown);
  if (!(error instanceof Error)) return { message: errorText(error) };
  const errors: unknown = error instanceof AggregateError ? error.errors : undefined;
  const common = {
    type: error.name,
    message: error.message,
    ...(Array.isArray(errors) && { errors: describeAll(errors, depth) }),
  };
  const cause =
    error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: describeError(error.cause, depth + 1) };
  if (!isVirguleError(error)) return { ...common, stack: error.stack, ...cause };
  const { code, hint, location, details } = error;
  return {
    ...common,
    code,
    hint,
    location,
    details,
    ...(error.kind === 'bug' && { stack: error.stack }),
    ...cause,
  };
}
