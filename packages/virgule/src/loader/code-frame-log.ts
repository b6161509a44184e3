import type { Log } from '@virgule/core/log';
import { codeFrame } from './code-frame.js';
import { thrownAt } from './stack-traces.js';

/** Returns a log that adds the source lines around the place where an error was thrown, as `frame`. */
export function withCodeFrames(log: Log): Log {
  const framed = (details: object): object => {
    for (const value of Object.values(details)) {
      const place = thrownAt(value);
      if (place) return { ...details, frame: codeFrame(place.text, place) };
    }
    return details;
  };
  const result: Log = Object.create(log);
  result.error = (details, message) => log.error(framed(details), message);
  return result;
}
