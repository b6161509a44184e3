import type { Readable } from 'node:stream';
import { onAbort } from '@virgule/core/abort';
import type { Clock, Timer } from '@virgule/core/clock';
import type { Member } from '@virgule/core/collections';
import type { VirguleError } from '@virgule/core/errors';
import type { HttpMethod, RetryClass } from '@virgule/core/protocol';
import type { CallFacts } from '../errors/client-errors.js';
import type { LimitKey } from './bucket.js';
import type { Flow } from './lane-queue.js';
import type { Lane } from './pool.js';
import type { Permit } from './rate-limits.js';

/** How much a call matters: no user waits for a `background` one. */
export type CallPriority = 'awaited' | 'background';

/** Who goes first. Answers to interactions and their files are a class of their own, unless they are `background`. */
export type PriorityClass = 'interaction' | CallPriority;

/** From the first to the last. */
export const PRIORITY_CLASSES: readonly PriorityClass[] = ['interaction', 'awaited', 'background'];

/** Everything that is known about a call before it is sent. */
export interface RequestPlan {
  /** For errors and logs: `messages.send`. */
  readonly endpoint: string;
  /** For errors and logs: `POST /channels/{channelId}/messages`, without ids or secrets. */
  readonly route: string;
  readonly lane: Lane;
  /** The id its path begins with, or nothing: one endpoint of one id has a limit, as far as is known. */
  readonly major: string;
  readonly retry: RetryClass;
  readonly origin: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Record<string, string>;
  /**
   * A function creates it for each try. It calls `expectProgress` with the time that the peer has for its next step;
   * what it throws ends the call.
   */
  readonly body:
    | string
    | Uint8Array
    | ((expectProgress: (withinMs: number) => void) => Readable)
    | null;
  /** How long the server may send nothing of an answer: its headers, or the next piece of its body. In milliseconds. */
  readonly patienceMs: number;
  /** Whether the caller needs the body of a successful answer. */
  readonly needsBody: boolean;
  /** What a repeated request is refused with when the first one had taken effect. */
  readonly doneBefore: (status: number, apiCode: string) => boolean;
}

/** Why a call is not sent. `late`: its deadline passed in the queue; `unreachable`: as late, and its origin is away. */
export type Refusal =
  | { readonly why: 'limited'; readonly retryAfterMs: number }
  | { readonly why: 'late' | 'unreachable' | 'queue-full' };

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time for the whole call, in milliseconds. */
  readonly deadlineMs: number;
  readonly priority?: PriorityClass | undefined;
  /** Called each time before the request is sent again. */
  readonly onRetry?: (() => void) | undefined;
  /** Whether an earlier call for the same failed. */
  readonly isRetry?: boolean | undefined;
}

/** One call from its start to its end: its deadline, its tries, its way through the queue, and who may interrupt it. */
export class Call implements Member {
  readonly plan: RequestPlan;
  readonly priority: PriorityClass;
  readonly key: LimitKey;
  /** Whether the next call of the same route and channel has to wait until this one has ended. */
  readonly inOrder: boolean;
  readonly deadlineAtMs: number;
  /** Whether an earlier call for the same failed. */
  readonly isRetry: boolean;
  /** Its position among the calls that have not ended. */
  place = 0;
  attempts = 0;
  /** Tries that failed in a way that another one may fix. */
  faults = 0;
  /** Faults after which the request may have reached the platform, except those of a platform that is away. */
  sentTries = 0;
  /** The error of the last try that failed: when the time is over, it says more than that. */
  lastFault: VirguleError | undefined;
  /** Whether an earlier try may have reached the platform. */
  maybeSent = false;
  interruption: 'aborted' | 'unauthorized' | 'closing' | undefined;

  // What follows is of the queue.
  wasAdmitted = false;
  /** Held from being let through until it is released. */
  permit: Permit | undefined;
  flow: Flow | undefined;
  expiry: Timer | undefined;
  resolve: ((refusal: Refusal | undefined) => void) | undefined;

  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #leaveSignal: (() => void) | undefined;
  #cancel: (() => void) | undefined;
  #isWaiting = false;

  constructor(
    plan: RequestPlan,
    clock: Clock,
    { deadlineMs, priority = 'awaited', signal, isRetry = false }: SendOptions,
  ) {
    const { lane, major, endpoint, method } = plan;
    const isAnswer = lane === 'interaction';
    this.plan = plan;
    this.priority = isAnswer && priority === 'awaited' ? 'interaction' : priority;
    this.isRetry = isRetry;
    const isUpload = endpoint === 'attachments.openUpload';
    // Each interaction is new: a limit that one of them meets may be that of all.
    this.key =
      isAnswer && !isUpload && major !== ''
        ? { route: endpoint, major: '', lane, interactionId: major }
        : { route: endpoint, major, lane };
    // What changes a channel, or answers a command, is to be seen there in the order of the calls. Files have no order.
    this.inOrder = !isUpload && (isAnswer ? major !== '' : lane === 'general' && method !== 'GET');
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.deadlineAtMs = this.#startMs + deadlineMs;
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
      elapsedMs: Math.round(this.#clock.monotonic() - this.#startMs),
      requestId: requestId === '' ? undefined : requestId,
    };
  }

  interrupt(why: NonNullable<Call['interruption']>): void {
    this.interruption ??= why;
    this.#cancel?.();
  }

  /** Interrupts the call unless a request of it is in flight; that one may still be answered. */
  interruptWait(why: NonNullable<Call['interruption']>): void {
    if (this.#isWaiting) this.interrupt(why);
  }

  /** A phase begins; `cancel` is called when the call is interrupted in it, or already is. */
  begin(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.interruption) cancel();
  }

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
