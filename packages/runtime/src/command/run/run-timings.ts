import type { Clock } from '@virgule/core/clock';
import type { CommandRecord } from '../observer.js';

/** Measures one run. Created only if the times are logged. */
export class RunTimings {
  readonly #clock: Clock;
  #lastMs: number;
  queueMs: number;
  parseMs = 0;
  /** Of the handler, and the middleware around it. */
  chainMs = 0;
  /** Of the wait for a place before the handler. */
  chainQueueMs = 0;
  /** Of the handler alone, if something is around it. */
  handlerMs: number | undefined;
  #restMs = 0;
  #calls = 0;
  #retries = 0;

  constructor(clock: Clock, receivedAtMs: number) {
    this.#clock = clock;
    this.#lastMs = receivedAtMs;
    // In development, the receipt is a reading of the clock of another process, which may be ahead by a fraction.
    this.queueMs = Math.max(0, this.lap());
  }

  /** Returns the time since the last part ended. */
  lap(): number {
    const nowMs = this.#clock.monotonic();
    const ms = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    return ms;
  }

  callTook(ms: number): void {
    this.#restMs += ms;
    this.#calls += 1;
  }

  readonly onRetry = (): void => {
    this.#retries += 1;
  };

  /**
   * Returns the details of the log line of a run, as one literal: a spread costs as much as the rest of the line. Times are
   * in milliseconds, with one decimal. What is 0 for most commands is left out then: each key of a line costs as much as
   * a step of the command.
   */
  detailsOf({ command, interactionId, outcome, result, ms }: CommandRecord) {
    const handlerMs = this.handlerMs ?? this.chainMs;
    return {
      command,
      interactionId,
      outcome,
      result,
      ms: tenths(ms),
      // Before anything was done: the event loop was blocked, the bot was loading, or it waited for its turn.
      queueMs: tenths(this.queueMs + this.chainQueueMs),
      parseMs: tenths(this.parseMs) || undefined,
      middlewareMs: tenths(Math.max(0, this.chainMs - this.chainQueueMs - handlerMs)) || undefined,
      // With the calls that it awaited.
      handlerMs: tenths(handlerMs),
      // In the calls that answered. They may be part of the handler's time.
      restMs: tenths(this.#restMs),
      calls: this.#calls,
      // How often the client repeated one.
      retries: this.#retries || undefined,
    };
  }
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
