import type { Clock } from '@virgule/core/clock';
import type { RunResult } from '../observer.js';
import type { CommandRunInit } from './command-run.js';

/** Time measurements of one run. Created only if they are logged. */
export class RunTimings {
  readonly #clock: Clock;
  #lastMs: number;
  queueMs: number;
  parseMs = 0;
  /** Time of the handler and its middleware, in milliseconds. */
  chainMs = 0;
  /** Time that the throttles took before the handler, in milliseconds. */
  chainQueueMs = 0;
  /** Time of the handler alone, in milliseconds; `undefined` without middleware and throttles. */
  handlerMs: number | undefined;
  #restMs = 0;
  #calls = 0;
  #retries = 0;

  constructor(clock: Clock, receivedAtMs: number) {
    this.#clock = clock;
    this.#lastMs = receivedAtMs;
    // In development, the clock of another process measured the receipt; that clock may be slightly ahead.
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
   * Returns the details of the log line in milliseconds, as one literal without values that are 0 for most commands: each key
   * costs. The log need not copy a frozen object.
   */
  detailsOf(init: CommandRunInit, outcome: string, result: RunResult, ms: number) {
    const handlerMs = this.handlerMs ?? this.chainMs;
    return Object.freeze({
      command: init.command.name,
      interactionId: init.event.interactionId,
      caller: init.caller,
      outcome,
      result,
      ms: tenths(ms),
      // Time before the run did anything: the event loop was blocked, the bot was loading, or a throttle made the run wait.
      queueMs: tenths(this.queueMs + this.chainQueueMs),
      parseMs: tenths(this.parseMs) || undefined,
      middlewareMs: tenths(Math.max(0, this.chainMs - this.chainQueueMs - handlerMs)) || undefined,
      // Time of the handler, including the calls that it awaited.
      handlerMs: tenths(handlerMs),
      // Time of the calls that answered. It may be part of the handler's time.
      restMs: tenths(this.#restMs),
      calls: this.#calls,
      retries: this.#retries || undefined,
    });
  }
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
