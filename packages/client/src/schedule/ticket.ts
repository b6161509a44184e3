import type { Timer } from '@virgule/core/clock';
import type { Lane } from '../http/connections.js';
import type { LimitKey, LimitOutcome, Permit } from '../limits/limiter.js';
import type { Flow } from './flow.js';
import type { ListNode } from './linked-list.js';
import type { PriorityClass } from './priority.js';

/** Why a call is not sent. */
export type Refusal =
  | { readonly why: 'limited'; readonly retryAfterMs: number }
  /** Its deadline passed in the queue. */
  | { readonly why: 'late' }
  /** The same, while the origin could not be reached. */
  | { readonly why: 'unreachable' }
  | { readonly why: 'queue full' | 'too many refused requests' };

/** One call's way through the queue; used again for each of its tries. */
export interface Ticket {
  readonly lane: Lane;
  readonly priority: PriorityClass;
  readonly origin: string;
  readonly key: LimitKey;
  /** Whether the next one of the same route and channel has to wait until this call has ended. */
  readonly inOrder: boolean;
  readonly deadlineAtMs: number;
  /** Times it was let through. */
  tries: number;
  flow: Flow | undefined;
  place: ListNode<Ticket> | undefined;
  expiry: Timer | undefined;
  /** Ends the wait in the queue. */
  settle: ((refusal: Refusal | undefined) => void) | undefined;
  /** Held from being let through until it is given back. */
  permit: Permit | undefined;
  isProbe: boolean;
  /** What became of the request; set before the permit is given back. */
  outcome: LimitOutcome;
  network: 'answered' | 'fault' | 'unknown';
}

export interface TicketOptions {
  readonly lane: Lane;
  readonly priority: PriorityClass;
  readonly origin: string;
  readonly key: LimitKey;
  readonly inOrder: boolean;
  /** A reading of `Clock.monotonic()`, in milliseconds. */
  readonly deadlineAtMs: number;
}

export const UNSENT: LimitOutcome = { kind: 'unsent' };

// Written out: a spread here costs every call several microseconds.
export function createTicket({
  lane,
  priority,
  origin,
  key,
  inOrder,
  deadlineAtMs,
}: TicketOptions): Ticket {
  return {
    lane,
    priority,
    origin,
    key,
    inOrder,
    deadlineAtMs,
    tries: 0,
    flow: undefined,
    place: undefined,
    expiry: undefined,
    settle: undefined,
    permit: undefined,
    isProbe: false,
    outcome: UNSENT,
    network: 'unknown',
  };
}
