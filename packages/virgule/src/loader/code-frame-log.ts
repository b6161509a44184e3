import { isKept, type Log } from '@virgule/core/log';
import { codeFrame } from './code-frame.js';
import { thrownAt } from './stack-traces.js';

/** Returns a log that adds the source lines around the place where an error was thrown, as `frame`. */
export function withCodeFrames(log: Log): Log {
  const framed = (details: object): object => {
    const place = Object.values(details).map(thrownAt).find(Boolean);
    return place ? { ...details, frame: codeFrame(place.text, place) } : details;
  };
  return {
    debug: (details, message) => log.debug(details, message),
    info: (details, message) => log.info(details, message),
    warn: (details, message) => log.warn(details, message),
    error: (details, message) => log.error(framed(details), message),
    isLevelEnabled: (level) => isKept(log, level),
    hide: (texts) => log.hide?.(texts),
  };
}
