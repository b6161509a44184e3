import { runtimeErrors } from './runtime-errors.js';
import { durationMs, type Milliseconds } from '../text/duration.js';

/** Returns the milliseconds of a duration. @throws VirguleError `E_DURATION`, which names the `call` with the value. */
export function readDuration(value: unknown, call?: string): Milliseconds {
  const ms = durationMs(value);
  if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(value), call });
  return ms;
}
