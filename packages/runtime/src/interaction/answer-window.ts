import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';

export interface AnswerWindowOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** What is known of the time that the platform gives to a first answer. */
export interface AnswerWindowState {
  /** The oldest interaction whose first answer was taken, in milliseconds from its receipt. */
  readonly acceptedMs: number;
  /** The youngest one that was refused as expired; `undefined` while none was, or when it is no longer believed. */
  readonly refusedMs: number | undefined;
}

/** A refusal this soon has another reason than time. */
const YOUNGEST_EXPIRY_MS = 500;
/** Defers are not sent sooner than this because of what was learned. */
const SOONEST_DEFER_MS = 250;
/** Part of the window after which the thinking state is shown: the rest is for the way and for chance. */
const SHARE = 0.5;
/** How long a refusal is believed when no other one follows; doubled each time it is given up. */
const HOLD_MS = 10 * 60_000;
const LONGEST_HOLD_MS = 24 * 60 * 60_000;

/**
 * How long the platform waits for a first answer is not published. It is learned from refusals: after
 * one, commands are deferred sooner. Once they are, nothing can be refused late any more, so what was
 * learned would stand for ever: it is doubted after a while, and learned again if it is still so.
 */
export class AnswerWindow {
  readonly #options: AnswerWindowOptions;
  #acceptedMs = 0;
  #refusedMs = Infinity;
  #doubtAtMs = Infinity;
  #holdMs = HOLD_MS;
  #wasTold = false;

  constructor(options: AnswerWindowOptions) {
    this.#options = options;
  }

  get state(): AnswerWindowState {
    return {
      acceptedMs: this.#acceptedMs,
      refusedMs: this.#refusedMs === Infinity ? undefined : this.#refusedMs,
    };
  }

  /** When to defer a command that is to be deferred after `wantedMs`, counted from its receipt. */
  deferAfterMs(wantedMs: number): number {
    if (this.#refusedMs === Infinity) return wantedMs;
    if (this.#options.clock.monotonic() >= this.#doubtAtMs) this.#doubt();
    return Math.min(wantedMs, Math.max(SOONEST_DEFER_MS, this.#refusedMs * SHARE));
  }

  /** A first call was taken that was sent at this age. */
  accepted(ageMs: number): void {
    if (ageMs > this.#acceptedMs) this.#acceptedMs = ageMs;
    if (ageMs >= this.#refusedMs) this.#forget('An older command was answered');
  }

  /** A first call was refused as expired; the refusal came at this age. */
  refused(ageMs: number, commandName: string): void {
    if (ageMs < YOUNGEST_EXPIRY_MS || ageMs >= this.#refusedMs) return;
    const { clock, log } = this.#options;
    this.#refusedMs = ageMs;
    this.#doubtAtMs = clock.monotonic() + this.#holdMs;
    const deferMs = Math.round(Math.max(SOONEST_DEFER_MS, ageMs * SHARE));
    const line = `The platform took /${commandName} for expired after ${Math.round(ageMs)} ms: from now on commands are deferred after ${deferMs} ms at the latest.`;
    // One line for what was learned; each step on the way to it is a detail.
    log[this.#wasTold ? 'debug' : 'warn']({ command: commandName, ageMs, deferMs }, line);
    this.#wasTold = true;
  }

  #doubt(): void {
    this.#holdMs = Math.min(this.#holdMs * 2, LONGEST_HOLD_MS);
    this.#forget('No command expired for a while');
  }

  #forget(why: string): void {
    this.#refusedMs = Infinity;
    this.#doubtAtMs = Infinity;
    this.#options.log.info({}, `${why}: commands are deferred as late as they ask for again.`);
  }
}
