import { inspect } from 'node:util';
import { orUndefined } from '../objects/or-undefined.js';

/** The logger of each part, such as a pino logger. `details` is plain data without secrets, `message` one line. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** Returns whether lines of a level are written, so that callers can skip their work. @defaultValue all levels are */
  isLevelEnabled?(level: LogLevel): boolean;
  /** Redacts these strings in every later line, if the log supports redaction. */
  hide?(texts: readonly string[]): void;
}

/** The level of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Returns whether lines of this level are written. */
export const isKept = (log: Log, level: LogLevel): boolean => log.isLevelEnabled?.(level) ?? true;

const ignore = (): void => {};

/** A log that writes nothing. */
export const silentLog: Log = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  isLevelEnabled: () => false,
};

/** Name of the process warnings. */
const WARNING = 'VirguleWarning';

/** A log for programs without a logger: warnings and errors become process warnings, on standard error. */
export const warningLog: Log = {
  debug: ignore,
  info: ignore,
  warn: emitWarning,
  error: emitWarning,
  isLevelEnabled: (level) => level === 'warn' || level === 'error',
};

function emitWarning(details: object, message: string): void {
  const text = textOf(details);
  process.emitWarning(text === '{}' ? message : `${message} ${text}`, WARNING);
}

function textOf(details: object): string {
  const json = orUndefined(() =>
    JSON.stringify(details, (_key, value: unknown) =>
      typeof value === 'bigint' || value instanceof Error ? String(value) : value,
    ),
  );
  // Anything can be thrown and logged, and a log must not end the process.
  return json ?? inspect(details, { breakLength: Number.POSITIVE_INFINITY });
}
