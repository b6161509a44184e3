import type { Clock } from '@virgule/core/clock';
import type { CallFacts } from '../errors/error-details.js';
import { onAbort } from '@virgule/core/abort';
import type { RequestPlan } from './request-plan.js';
import type { Member } from '@virgule/core/collections';

/** Why a call is ended from outside. */
export type Interruption =
  | { readonly why: 'aborted'; readonly reason: unknown }
  | { readonly why: 'unauthorized' }
  | { readonly why: 'closing' };

export interface CallInit {
  readonly plan: RequestPlan;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One call from its start to its end: its deadline, its tries, and who may interrupt it. */
export class Call implements Member {
  readonly plan: RequestPlan;
  readonly deadlineAtMs: number;
  /** Its position among the calls that have not ended. */
  place = 0;
  /** Requests that were tried. */
  attempts = 0;
  /** Tries that failed in a way that another one may fix. */
  faults = 0;
  /** Faults after which the request may have reached the platform, except responses 502 and 503. */
  sentTries = 0;
  /** Why the last connection could not be made. */
  unreachable: string | undefined;
  /** Whether an earlier try may have reached the platform. */
  maybeSent = false;
  interruption: Interruption | undefined;

  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #leaveSignal: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #waiting = false;

  constructor({ plan, clock, deadlineMs, signal }: CallInit) {
    this.plan = plan;
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.deadlineAtMs = this.#startMs + deadlineMs;
    this.#leaveSignal =
      signal && onAbort(signal, (reason) => this.interrupt({ why: 'aborted', reason }));
  }

  get remainingMs(): number {
    return this.deadlineAtMs - this.#clock.monotonic();
  }

  /** For the details of an error. */
  facts(requestId?: string): CallFacts {
    return {
      endpoint: this.plan.endpoint,
      route: this.plan.route,
      attempts: this.attempts,
      elapsedMs: Math.round(this.#clock.monotonic() - this.#startMs),
      requestId: requestId === '' ? undefined : requestId,
    };
  }

  interrupt(interruption: Interruption): void {
    this.interruption ??= interruption;
    this.#cancel?.();
  }

  /** Interrupts the call unless a request of it is in flight; that one may still be answered. */
  interruptWait(interruption: Interruption): void {
    if (this.#waiting) this.interrupt(interruption);
  }

  /** A phase begins; `cancel` is called when the call is interrupted in it, or already is. */
  begin(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.interruption) cancel();
  }

  /** The phase is over. */
  leave(): void {
    this.#cancel = undefined;
  }

  /** Waits; ends early when the call is interrupted. */
  async wait(delayMs: number): Promise<void> {
    const controller = new AbortController();
    // The sleep rejects only when it is cancelled, and then `interruption` says why.
    const sleep = this.#clock.sleep(delayMs, { signal: controller.signal }).catch(() => {});
    await this.waitFor(sleep, () => controller.abort());
  }

  /** Waits for something that is not a request; `cancel` has to end it at once. */
  async waitFor<Value>(wait: Promise<Value>, cancel: () => void): Promise<Value> {
    this.#waiting = true;
    this.begin(cancel);
    try {
      return await wait;
    } finally {
      this.leave();
      this.#waiting = false;
    }
  }

  /** Removes the listener of the signal. */
  end(): void {
    this.#leaveSignal?.();
  }
}
