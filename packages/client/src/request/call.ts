import type { Readable } from 'node:stream';
import { onAbort } from '@virgule/core/abort';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Member } from '@virgule/core/collections';
import type { VirguleError } from '@virgule/core/errors';
import type { RetryClass } from '@virgule/core/protocol';
import type { CallFacts } from '../errors/client-errors.js';
import type { LimitKey } from './bucket.js';
import type { Flow, LaneQueue } from './lane-queue.js';
import type { HttpRequest, Lane } from './pool.js';
import type { Permit } from './rate-limits.js';

/** Priority of a call: users wait for an `awaited` call, no user waits for a `background` call. */
export type CallPriority = 'awaited' | 'background';

/** Class in the queue. Answers to interactions and their files form the class `interaction`, unless `background`. */
export type PriorityClass = 'interaction' | CallPriority;

/** All classes, the most urgent first. */
export const PRIORITY_CLASSES: readonly PriorityClass[] = ['interaction', 'awaited', 'background'];

/** Request of a call, complete before the call is sent. */
export interface RequestPlan extends Omit<HttpRequest, 'body'> {
  /** Name of the method for errors and logs: `messages.send`. */
  readonly endpoint: string;
  /** Route for errors and logs, without ids or secrets: `POST /channels/{channelId}/messages`. */
  readonly route: string;
  readonly lane: Lane;
  /** Id at the start of the path, or `''`. Each endpoint probably has a separate limit for each id (assumed). */
  readonly major: string;
  readonly retry: RetryClass;
  /**
   * Body of the request; a function creates a new stream for each try. The function calls `expectProgress` with the time
   * that the peer has for its next step. An error of the function ends the call.
   */
  readonly body:
    | string
    | Uint8Array
    | ((expectProgress: (withinMs: number) => void) => Readable)
    | null;
  /** Maximum silence of the server before the headers or the next piece of the body, in milliseconds. */
  readonly patienceMs: number;
  /** False if a successful answer counts even without its body. */
  readonly needsBody: boolean;
  /** Returns true for the refusal of a repeated request whose first try took effect. */
  readonly doneBefore: (status: number, apiCode: string) => boolean;
}

/** Reason not to send a call. Its deadline passed in the queue (`late`), or with an open breaker (`unreachable`). */
export type Refusal =
  | { readonly why: 'limited'; readonly retryAfterMs: number }
  | { readonly why: 'late' | 'unreachable' | 'queue-full' };

/** Options of a call, the last argument of every method. */
export interface CallOptions {
  /** Signal whose abort ends the call at once, in any phase. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of this call with all its waits and tries, in milliseconds. The answer to a try may take half of it, and at
   * least 15 s (2.5 s for `ack` and `defer`). @defaultValue `RestOptions.deadlineMs`, and ten times that with files
   */
  readonly deadlineMs?: number | undefined;
  /** `background` calls go last; answers to interactions that are not `background` go first. @defaultValue `awaited` */
  readonly priority?: CallPriority | undefined;
  /** Called each time before the request is sent again. Its errors and rejections are only logged. */
  readonly onRetry?: (() => void) | undefined;
  /**
   * Set for the repetition of a failed call: the first call of an interaction is always sent, a repeated one waits for an
   * unreachable platform. @defaultValue `false`
   */
  readonly isRetry?: boolean | undefined;
  /**
   * Set if the caller awaits each call of an interaction before the next one, so that the client need not order them.
   * @defaultValue `false`
   */
  readonly isSequential?: boolean | undefined;
}

/** Options of a call that is about to be sent. */
export interface SendOptions extends Omit<CallOptions, 'priority'> {
  readonly deadlineMs: number;
  readonly priority?: PriorityClass | undefined;
}

/** Call from its start to its end: its deadline, tries, place in the queue and interruption. */
export class Call implements Member {
  readonly plan: RequestPlan;
  readonly priority: PriorityClass;
  readonly key: LimitKey;
  /** Set if the next call of the same route and channel waits for the end of this call. */
  readonly inOrder: boolean;
  readonly startMs: number;
  readonly deadlineAtMs: number;
  /** Set if the call repeats a failed call. */
  readonly isRetry: boolean;
  /** Position of the call in the roster of active calls. */
  place = 0;
  attempts = 0;
  /** Number of failed tries that another try may fix. */
  faults = 0;
  /** Number of faults whose request may have reached the platform, without faults of an outage. */
  sentTries = 0;
  /** Error of the last failed try, which explains more than a timeout. */
  lastFault: VirguleError | undefined;
  /** Set if an earlier try may have reached the platform. */
  maybeSent = false;
  interruption: 'aborted' | 'unauthorized' | 'closing' | undefined;

  // The queue owns the following fields.
  wasAdmitted = false;
  lane: LaneQueue | undefined;
  /** Permit to send, from the admission of the call until its release. */
  permit: Permit | undefined;
  flow: Flow | undefined;
  expiry: Timer | undefined;
  resolve: ((refusal: Refusal | undefined) => void) | undefined;

  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  readonly #leaveSignal: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #isWaiting = false;

  constructor(plan: RequestPlan, clock: Clock, options: SendOptions) {
    const { lane, major, endpoint, method } = plan;
    const { deadlineMs, priority = 'awaited', signal, isRetry = false, isSequential } = options;
    const isAnswer = lane === 'interaction';
    this.plan = plan;
    this.priority = isAnswer && priority === 'awaited' ? 'interaction' : priority;
    this.isRetry = isRetry;
    const isUpload = endpoint === 'attachments.openUpload';
    this.key = { route: endpoint, major, lane };
    // Changes of a channel and answers to a command have to appear in the order of the calls. Files have no order.
    this.inOrder =
      !isUpload &&
      (isAnswer ? major !== '' && !isSequential : lane === 'general' && method !== 'GET');
    this.#clock = clock;
    this.startMs = clock.monotonic();
    this.deadlineAtMs = this.startMs + deadlineMs;
    this.#signal = signal;
    this.#leaveSignal = signal && onAbort(signal, () => this.interrupt('aborted'));
  }

  get remainingMs(): number {
    return this.deadlineAtMs - this.#clock.monotonic();
  }

  get abortReason(): unknown {
    return this.#signal?.reason;
  }

  facts(requestId?: string): CallFacts {
    return {
      endpoint: this.plan.endpoint,
      route: this.plan.route,
      attempts: this.attempts,
      elapsedMs: Math.round(this.#clock.monotonic() - this.startMs),
      requestId: requestId === '' ? undefined : requestId,
    };
  }

  interrupt(why: NonNullable<Call['interruption']>): void {
    this.interruption ??= why;
    this.#cancel?.();
  }

  /** Interrupts the call unless its request is in flight: the request may still be answered. */
  interruptWait(why: NonNullable<Call['interruption']>): void {
    if (this.#isWaiting) this.interrupt(why);
  }

  /** Begins a phase. An interruption during the phase, or before, calls `cancel`. */
  begin(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.interruption) cancel();
  }

  leave(): void {
    this.#cancel = undefined;
  }

  /** Waits for a time, or until the call is interrupted. */
  async wait(delayMs: number): Promise<void> {
    const controller = new AbortController();
    // The sleep rejects only when cancelled, and `interruption` then has the reason.
    const sleep = this.#clock.sleep(delayMs, { signal: controller.signal }).catch(() => {});
    await this.waitFor(sleep, () => controller.abort());
  }

  /** Waits for a promise other than a request. `cancel` has to settle the promise at once. */
  async waitFor<Value>(wait: Promise<Value>, cancel: () => void): Promise<Value> {
    this.#isWaiting = true;
    this.begin(cancel);
    try {
      return await wait;
    } finally {
      this.leave();
      this.#isWaiting = false;
    }
  }

  end(): void {
    this.#leaveSignal?.();
  }
}
