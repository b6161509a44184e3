import { errorText } from '../errors/error-text.js';
import type { Log } from './log.js';

/** Logs the first failure of a series and its end, so that an outage has two lines, regardless of the number of attempts. */
export function createOutage(log: Log) {
  let isOn = false;
  return {
    /** Logs a failure, unless the outage was logged before. */
    failed(error: unknown, message: string, details = {}, level: 'warn' | 'error' = 'warn'): void {
      if (!isOn) log[level]({ ...details, error: errorText(error) }, message);
      isOn = true;
    },
    /** Logs the end of an outage, with a message. Returns whether there was an outage. */
    ended(message?: string, details = {}): boolean {
      const wasOn = isOn;
      isOn = false;
      if (wasOn && message !== undefined) log.info(details, message);
      return wasOn;
    },
  };
}
