import type { Clock } from '@virgule/core/clock';
import type { HttpHeaders } from '../http/http-dispatcher.js';
import type { RateHeaders } from './rate-headers.js';
import {
  calibrate,
  resetInMs,
  UNCALIBRATED,
  type ResetCalibration,
  type ResetSighting,
} from './reset-calibration.js';

/** Finds out what `X-RateLimit-Reset` counts in, and reads it from then on by the clock of the server. */
export class ResetReader {
  readonly #clock: Pick<Clock, 'now'>;
  #calibration = UNCALIBRATED;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get known(): ResetCalibration {
    return this.#calibration;
  }

  /** A 429 that states its wait. */
  sight(
    { reset }: RateHeaders,
    retryAfterMs: ResetSighting['retryAfterMs'],
    headers: HttpHeaders,
  ): void {
    if (reset === undefined) return;
    const nowMs = this.#serverNowMs(headers);
    this.#calibration = calibrate(this.#calibration, { reset, retryAfterMs, nowMs });
  }

  /** How long until the window ends, in milliseconds, where the headers say so. */
  read({ reset, remaining }: RateHeaders, headers: HttpHeaders): number | undefined {
    if (reset === undefined || remaining === undefined) return undefined;
    return resetInMs(this.#calibration, reset, this.#serverNowMs(headers));
  }

  #serverNowMs({ date }: HttpHeaders): number {
    const stated = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    return Number.isNaN(stated) ? this.#clock.now() : stated;
  }
}
