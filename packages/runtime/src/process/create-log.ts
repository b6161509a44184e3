import { errorText, isVirguleError, readableError } from '@virgule/core/errors';
import { pino, type DestinationStream } from 'pino';
import { createRedactor, type Log, type Redactor } from '@virgule/core/log';
import { isObject, isPlainObject } from '@virgule/core/objects';
import { LOG_LEVELS } from '../config/define-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createBufferedOutput } from './buffered-output.js';
import { isSecretName, redactLine } from './redact-line.js';

export interface LogOptions {
  /** Lowest level that is written: one of `LOG_LEVELS`. @defaultValue `'info'` */
  readonly level?: string | undefined;
  /** Destination of the lines. @defaultValue standard output */
  readonly destination?: DestinationStream | undefined;
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

// Synchronous writes: by default, pino writes each line in a thread, and a killed process loses the line.
const AT_ONCE = { dest: 1, sync: true };

/**
 * Creates a log that writes one JSON object per line, without the secrets of `redact` and without the values
 * of keys such as `token`.
 *
 * @throws VirguleError `E_ENV_INVALID` if the level is unknown.
 */
export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', destination, prefix = '', buffered = false } = options;
  const { redact = createRedactor() } = options;
  if (!LOG_LEVELS.some((known) => known === level))
    throw runtimeErrors.E_ENV_INVALID({ kind: 'log-level', saw: level, known: LOG_LEVELS });
  const pinoOptions = {
    level,
    base: undefined,
    formatters: { log: describeErrors },
    serializers: { err: (error: unknown) => describeError(error) },
  };
  const target = destination ?? (buffered ? createBufferedOutput(1) : pino.destination(AT_ONCE));
  // The redaction of pino copies every line, and costs more than the rest of the line.
  const write = (line: string): boolean | void => target.write(prefix + redactLine(line, redact));
  const logger = pino(pinoOptions, { write });
  const hide = (texts: readonly string[]): void => redact.hide(texts);
  if (!logger.isLevelEnabled('info')) return Object.assign(logger, { hide });
  const { info } = logger;
  return Object.assign(logger, {
    hide,
    info(details: object, message: string): void {
      const line = plainLine(details, message);
      if (line === undefined) info.call(logger, details, message);
      else if (redact(line) === line) target.write(prefix + line);
      else write(line);
    },
  });
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
 * Returns the line of level info that pino would write, if all details are strings and numbers, as those of a command;
 * `undefined` for other details. pino takes about twice as long, since it supports every kind of value.
 */
function plainLine(details: object, message: string): string | undefined {
  if (!isPlainObject(details) || typeof message !== 'string') return undefined;
  let line = `{"level":30,"time":${Date.now()}`;
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

/** Describes errors under any key except `err`, which has a serializer. */
function describeErrors(details: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => {
      const readable = isObject(value) ? readableError(value) : value;
      return [key, key !== 'err' && readable instanceof Error ? describeError(readable) : readable];
    }),
  );
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
  const known = isVirguleError(error) ? error : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(Array.isArray(errors) && { errors: describeAll(errors, depth) }),
    code: known?.code,
    hint: known?.hint,
    location: known?.location,
    details: known?.details,
    stack: known && known.kind !== 'bug' ? undefined : error.stack,
    cause:
      error.cause === undefined || depth === MAX_CAUSES
        ? undefined
        : describeError(error.cause, depth + 1),
  };
}
