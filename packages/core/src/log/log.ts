/**
 * Where a part writes what it does. A pino logger fits. `details` is plain data and holds no
 * secrets; `message` is one line.
 */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** Keeps these texts out of every later line, for a log that can. */
  hide?(texts: readonly string[]): void;
}

const ignore = (): void => {};

/** A log that keeps nothing. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
