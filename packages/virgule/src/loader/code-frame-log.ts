import type { Log } from '@virgule/core/log';
import { codeFrame } from './code-frame.js';
import { adviceForThrow } from './other-frameworks.js';
import { thrownAt } from './stack-traces.js';

/**
 * Returns a log that adds the source lines around the place where an error was thrown, as `frame`, and what to use in place
 * of something that only other frameworks have, as `hint`.
 */
export function withCodeFrames(log: Log): Log {
  const framed = (details: object): object => {
    for (const value of Object.values(details)) {
      const place = thrownAt(value);
      if (!place) continue;
      const hint = adviceForThrow(value, place);
      return { ...details, frame: codeFrame(place.text, place), ...(hint && { hint }) };
    }
    return details;
  };
  const result: Log = Object.create(log);
  result.error = (details, message) => log.error(framed(details), message);
  return result;
}
