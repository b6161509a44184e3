import { isKept, type Log } from '@virgule/core/log';
import type { Loader } from './create-loader.js';

/** A log in which the stacks of errors point into the sources, not into what the loader made of them. */
export function withSourceStacks(log: Log, loader: Pick<Loader, 'mapStack'>): Log {
  const map = (details: object): object => {
    if ('err' in details && details.err instanceof Error && details.err.stack !== undefined) {
      details.err.stack = loader.mapStack(details.err.stack);
    }
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
