import type { Timer } from '@virgule/core/clock';
import type { Flow } from './flow.js';
import type { Lane } from './pool.js';
import type { PriorityClass, RequestPlan } from './request-plan.js';
import type { LimitKey, LimitOutcome, Permit } from './rate-limits.js';

/** Why a call is not sent. */
export type Refusal =
  | { readonly why: 'limited'; readonly retryAfterMs: number }
  /** Its deadline passed in the queue. */
  | { readonly why: 'late' }
  /** The same, while the origin could not be reached. */
  | { readonly why: 'unreachable' }
  | { readonly why: 'queue-full' | 'too-many-refusals' };

export interface TicketOptions {
  readonly lane: Lane;
  readonly priority: PriorityClass;
  readonly origin: string;
  readonly key: LimitKey;
  /** Whether the next one of the same route and channel has to wait until this call has ended. */
  readonly inOrder: boolean;
  /** A reading of `Clock.monotonic()`, in milliseconds. */
  readonly deadlineAtMs: number;
}

export const UNSENT: LimitOutcome = { kind: 'unsent' };

/** One call's way through the queue; used again for each of its tries. */
export class Ticket implements TicketOptions {
  readonly lane: Lane;
  readonly priority: PriorityClass;
  readonly origin: string;
  readonly key: LimitKey;
  readonly inOrder: boolean;
  readonly deadlineAtMs: number;
  /** Times it was let through. */
  tries = 0;
  flow: Flow | undefined;
  expiry: Timer | undefined;
  /** Held from being let through until it is released. */
  permit: Permit | undefined;
  isProbe = false;
  /** The result of the request; set before the permit is released. */
  outcome = UNSENT;
  network: 'answered' | 'fault' | 'unknown' = 'unknown';
  /** Ends the wait in the queue. */
  resolve: ((refusal: Refusal | undefined) => void) | undefined;

  // Written out: a spread here costs every call several microseconds.
  constructor({ lane, priority, origin, key, inOrder, deadlineAtMs }: TicketOptions) {
    this.lane = lane;
    this.priority = priority;
    this.origin = origin;
    this.key = key;
    this.inOrder = inOrder;
    this.deadlineAtMs = deadlineAtMs;
  }

  /** Ends its wait, if it waits. */
  settle(refusal: Refusal | undefined): void {
    this.expiry?.cancel();
    this.expiry = undefined;
    this.resolve?.(refusal);
    this.resolve = undefined;
  }
}

/** Creates the ticket of a call. */
export function openTicket(
  { lane, origin, method, endpoint, major }: RequestPlan,
  deadlineAtMs: number,
  priority: PriorityClass = 'awaited',
): Ticket {
  const isBrief = lane === 'interaction';
  // What changes a channel, or answers a command, is to be seen there in the order of the calls. Files have no order.
  const inOrder = isBrief
    ? major !== ''
    : lane === 'general' && method !== 'GET' && endpoint !== 'attachments.openUpload';
  return new Ticket({
    lane,
    origin,
    deadlineAtMs,
    priority: isBrief ? 'interaction' : priority,
    key: { route: endpoint, major, isBrief, isForeign: lane === 'upload' },
    inOrder,
  });
}
