import type { Log } from '@virgule/core/log';
import type { SessionEnding } from './session-ending.js';

/** The same answer before READY is reported when it came this many times in a row. */
const TIMES_TO_REPORT = 5;

/**
 * Counts how connections ended: the Bot Interface lists no close code, so what was seen is all there
 * is to know.
 */
export class CloseCodes {
  readonly #log: Log;
  readonly #counts = new Map<number, number>();
  #lastCode: number | undefined;
  #inARow = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** By close code, 1000 and above, or status of a refused upgrade. */
  get counts(): Readonly<Record<number, number>> {
    return Object.fromEntries(this.#counts);
  }

  count({ code, reason }: SessionEnding, wasReady: boolean): void {
    if (code !== undefined) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
    this.#inARow =
      !wasReady && code !== undefined && code === this.#lastCode ? this.#inARow + 1 : 1;
    this.#lastCode = wasReady ? undefined : code;
    if (this.#inARow !== TIMES_TO_REPORT) return;
    this.#log.error(
      { code, times: TIMES_TO_REPORT },
      `the gateway closed the connection ${TIMES_TO_REPORT} times in a row with the same code: ${reason}`,
    );
  }
}
