import { readableError } from '@virgule/core/errors';
import { isKept, type Log } from '@virgule/core/log';
import type { Loader } from './create-loader.js';

/** A log in which the stacks of errors point into the sources, not into what the loader made of them. */
export function withSourceStacks(log: Log, loader: Pick<Loader, 'mapStack'>): Log {
  /** A stack that is mapped twice points anywhere: lines of the source exist in the other text too. */
  const mapped = new WeakSet<Error>();

  function mapError(error: unknown): void {
    // What throws when it is read is no error whose stack could be mapped.
    if (readableError(error) !== error) return;
    if (!(error instanceof Error) || mapped.has(error)) return;
    mapped.add(error);
    // May do nothing to an error that is frozen: it is told as it is.
    if (error.stack !== undefined) Reflect.set(error, 'stack', loader.mapStack(error.stack));
    mapError(error.cause);
  }

  const map = (details: object): object => {
    for (const value of Object.values(details)) mapError(value);
    return details;
  };
  return {
    debug: (details, message) => log.debug(map(details), message),
    info: (details, message) => log.info(map(details), message),
    warn: (details, message) => log.warn(map(details), message),
    error: (details, message) => log.error(map(details), message),
    isLevelEnabled: (level) => isKept(log, level),
    hide: (texts) => log.hide?.(texts),
  };
}
