/**
 * The port through which the packages write what they do. A pino logger fits. `details` is plain data and holds no
 * secrets; `message` is one line.
 */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /**
   * Whether lines of a level are kept, so that what they would say need not be put together. They are
   * taken to be when it is absent.
   */
  isLevelEnabled?(level: LogLevel): boolean;
  /** Keeps these strings out of every later line, for a log that can. */
  hide?(texts: readonly string[]): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Whether it is worth putting a line of this level together. */
export function isKept(log: Log, level: LogLevel): boolean {
  return log.isLevelEnabled?.(level) ?? true;
}

const ignore = (): void => {};

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  isLevelEnabled: () => false,
};
