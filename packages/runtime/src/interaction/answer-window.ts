import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';

export interface AnswerWindowOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** What is known about the time for a first answer. */
export interface AnswerWindowState {
  /** The oldest interaction whose first answer was accepted, in milliseconds from its receipt. */
  readonly acceptedMs: number;
  /** The youngest one that was refused as expired; `undefined` if there is none, or if it is no longer trusted. */
  readonly refusedMs: number | undefined;
}

/** A refusal sooner than this has another reason than time. */
const MIN_EXPIRY_MS = 500;
/** Earliest defer because of what was learned, in milliseconds. */
const MIN_DEFER_MS = 250;
/** Share of the window after which the thinking state is shown: the rest is for the network and for variance. */
const SHARE = 0.5;
/** How long a refusal is trusted if no other one follows; doubled each time it is forgotten. */
const HOLD_MS = 10 * 60_000;
const MAX_HOLD_MS = 24 * 60 * 60_000;

/**
 * Learns how long the platform waits for a first answer, which is not published: after a refusal, commands
 * are deferred sooner. Then no later refusal can correct what was learned, so it is forgotten after a
 * while, and learned again if it is still true.
 */
export class AnswerWindow {
  readonly #options: AnswerWindowOptions;
  #acceptedMs = 0;
  #refusedMs = Infinity;
  #doubtAtMs = Infinity;
  #holdMs = HOLD_MS;
  #isLogged = false;

  constructor(options: AnswerWindowOptions) {
    this.#options = options;
  }

  get state(): AnswerWindowState {
    return {
      acceptedMs: this.#acceptedMs,
      refusedMs: this.#refusedMs === Infinity ? undefined : this.#refusedMs,
    };
  }

  /** Returns when to defer a command whose setting is `wantedMs`, counted from its receipt. */
  deferAfterMs(wantedMs: number): number {
    if (this.#refusedMs === Infinity) return wantedMs;
    if (this.#options.clock.monotonic() >= this.#doubtAtMs) this.#doubt();
    return Math.min(wantedMs, Math.max(MIN_DEFER_MS, this.#refusedMs * SHARE));
  }

  /** Called when a first call was accepted that was sent at this age. */
  accepted(ageMs: number): void {
    if (ageMs > this.#acceptedMs) this.#acceptedMs = ageMs;
    if (ageMs >= this.#refusedMs) this.#forget('an older command was answered');
  }

  /** Called when a first call was refused as expired; the refusal arrived at this age. */
  refused(ageMs: number, commandName: string): void {
    if (ageMs < MIN_EXPIRY_MS || ageMs >= this.#refusedMs) return;
    const { clock, log } = this.#options;
    this.#refusedMs = ageMs;
    this.#doubtAtMs = clock.monotonic() + this.#holdMs;
    const deferMs = Math.round(Math.max(MIN_DEFER_MS, ageMs * SHARE));
    const line = `the platform treated /${commandName} as expired after ${Math.round(ageMs)} ms; deferring commands after ${deferMs} ms at the latest`;
    // One line for what was learned; each further step is a detail.
    log[this.#isLogged ? 'debug' : 'warn']({ command: commandName, ageMs, deferMs }, line);
    this.#isLogged = true;
  }

  #doubt(): void {
    this.#holdMs = Math.min(this.#holdMs * 2, MAX_HOLD_MS);
    this.#forget('no command expired for a while');
  }

  #forget(why: string): void {
    this.#refusedMs = Infinity;
    this.#doubtAtMs = Infinity;
    this.#options.log.info({}, `${why}; deferring commands as late as their settings say again`);
  }
}
