import type { Clock, Timer } from '@virgule/core/clock';
import { CircuitBreaker } from './circuit-breaker.js';
import { LruMap } from '@virgule/core/collections';
import type { Lane } from './pool.js';
import { PRIORITY_CLASSES, type PriorityClass } from './priority.js';
import type { LimitKey, LimitOutcome, Permit, RateLimits } from './rate-limits.js';
import type { RefusalGuard } from './refusal-guard.js';

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

/** One call's way through the queue; used again for each of its tries. */
export interface Ticket extends TicketOptions {
  /** Times it was let through. */
  tries: number;
  flow: Flow | undefined;
  expiry: Timer | undefined;
  /** Ends the wait in the queue. */
  settle: ((refusal: Refusal | undefined) => void) | undefined;
  /** Held from being let through until it is released. */
  permit: Permit | undefined;
  isProbe: boolean;
  /** What became of the request; set before the permit is released. */
  outcome: LimitOutcome;
  network: 'answered' | 'fault' | 'unknown';
}

/** The waiting calls of one class, route and channel, in order. */
interface Flow {
  readonly name: string;
  readonly lane: LaneState;
  readonly priority: PriorityClass;
  readonly tickets: Ticket[];
  /** The call that has to end before the next one of this flow may begin. */
  owner: Ticket | undefined;
  /** Where it is: among those that may be tried, or those that `gate` holds back. */
  place: Set<Flow> | undefined;
  gate: object | undefined;
}

type Flows = Readonly<Record<PriorityClass, Set<Flow>>>;

/** The calls that wait for the connections of one lane. */
interface LaneState {
  readonly lane: Lane;
  readonly origin: string;
  /** Requests in flight. */
  inFlight: number;
  readonly maxInFlight: number;
  readonly queued: Record<PriorityClass, number>;
  readonly flows: Map<string, Flow>;
  /** Flows that may be tried, in the order of their turns. */
  readonly ready: Flows;
}

/** What calls wait for: a paused bucket, or an origin that cannot be reached. */
interface Gate {
  readonly waiting: Flows;
  /** When it is tried again; `undefined`: when a request in flight has ended. */
  untilMs: number | undefined;
  sleep: AbortController | undefined;
}

/** Why a call may not go yet, and until when; `undefined`: until another one has ended. */
interface Denial {
  readonly gate: object;
  readonly untilMs: number | undefined;
}

/** What waits and what is in flight. */
export interface QueueSnapshot {
  readonly inFlight: Readonly<Record<Lane, number>>;
  readonly queued: Readonly<Record<PriorityClass, number>>;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RateLimits;
  readonly guard: RefusalGuard;
}

/**
 * How many requests of a lane are in flight at most; of uploads, to each origin. Interactions never wait
 * for each other.
 */
const MAX_IN_FLIGHT: Readonly<Record<Lane, number>> = {
  interaction: Number.POSITIVE_INFINITY,
  general: 32,
  upload: 4,
};

/** How many calls of each class wait at most in a lane: background ones must not shut awaited ones out. */
const MAX_QUEUED = 10_000;

/** Upload addresses can be anywhere. */
const MAX_ORIGINS = 64;

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
    expiry: undefined,
    settle: undefined,
    permit: undefined,
    isProbe: false,
    outcome: UNSENT,
    network: 'unknown',
  };
}

/**
 * Decides which call is sent next: classes in strict order, the flows of a class in turns, the calls of a flow in the
 * order they came. A flow that waits for a rate limit or an unreachable origin delays no other.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #interactions = createLane('interaction', '');
  readonly #general = createLane('general', '');
  /** By origin, while there are any: a storage that is slow or dead must not hold up another. */
  readonly #uploads = new Map<string, LaneState>();
  readonly #gates = new Map<object, Gate>();
  readonly #breakers = new LruMap<CircuitBreaker>({
    maxSize: MAX_ORIGINS,
    keep: (breaker) => breaker.isOpen,
  });

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  breakers(): readonly (readonly [string, CircuitBreaker])[] {
    return this.#breakers.entries();
  }

  /** Origins with uploads that wait or are in flight. */
  get uploadOrigins(): number {
    return this.#uploads.size;
  }

  snapshot(): QueueSnapshot {
    const lanes = [this.#interactions, this.#general, ...this.#uploads.values()];
    const inFlight = { interaction: 0, general: 0, upload: 0 };
    const queued = { interaction: 0, awaited: 0, background: 0 };
    for (const lane of lanes) {
      inFlight[lane.lane] += lane.inFlight;
      for (const each of PRIORITY_CLASSES) queued[each] += lane.queued[each];
    }
    return { inFlight, queued };
  }

  /**
   * Lets a call through: now (`undefined`), or later, or never (a refusal). One that was let through
   * holds a permit until `release`.
   */
  admit(ticket: Ticket): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(ticket);
    const { priority } = ticket;
    const denial = this.#ask(ticket);
    const refusal = this.#refusalOf(ticket, denial);
    if (refusal) {
      this.#forget(lane);
      return Promise.resolve(refusal);
    }
    const flow = lane.flows.size === 0 ? undefined : lane.flows.get(flowName(ticket));
    const isNext = !flow || flow.owner === ticket || (!flow.owner && flow.tickets.length === 0);
    if (!denial && isNext && hasRoom(lane) && !isAnyReady(lane, priority)) {
      this.#grant(lane, ticket);
      return undefined;
    }
    if (lane.queued[priority] >= MAX_QUEUED) return Promise.resolve({ why: 'queue-full' });
    return this.#enqueue(lane, ticket);
  }

  /** Ends the wait of a call. */
  cancel(ticket: Ticket): void {
    this.#finish(ticket, undefined);
  }

  /** Takes the permit of a request that has ended, or was never made. Does nothing when there is none. */
  release(ticket: Ticket): void {
    const { permit } = ticket;
    if (!permit) return;
    ticket.permit = undefined;
    const lane = this.#laneOf(ticket);
    lane.inFlight -= 1;
    const breaker = this.#breaker(ticket.origin);
    breaker.release(ticket.isProbe, ticket.network);
    for (const bucket of this.#options.limits.release(permit, ticket.outcome)) this.#open(bucket);
    this.#open(breaker);
    this.#pump(lane);
    this.#forget(lane);
  }

  /** Ends a call: the next of its route and channel may begin. */
  end(ticket: Ticket): void {
    const { flow } = ticket;
    if (flow?.owner !== ticket) return;
    flow.owner = undefined;
    place(flow);
    this.#pump(flow.lane);
  }

  #ask(ticket: Ticket): Denial | undefined {
    // An answer to an interaction is worth one try whatever happened to others before it.
    if (ticket.priority !== 'interaction' || ticket.tries > 0) {
      const breaker = this.#breaker(ticket.origin);
      const answer = breaker.ask();
      if (answer !== 'go') {
        return { gate: breaker, untilMs: answer === 'busy' ? undefined : answer };
      }
    }
    return this.#options.limits.ask(ticket.key);
  }

  /** A wait that is known to be longer than the call may wait is neither begun nor continued. */
  #refusalOf(ticket: Ticket, denial: Denial | undefined): Refusal | undefined {
    if (ticket.priority === 'background' && this.#options.guard.blocks) {
      return { why: 'too-many-refusals' };
    }
    if (denial?.untilMs === undefined || denial.gate instanceof CircuitBreaker) return undefined;
    if (denial.untilMs < ticket.deadlineAtMs) return undefined;
    const waitMs = denial.untilMs - this.#options.clock.monotonic();
    return { why: 'limited', retryAfterMs: Math.ceil(waitMs) };
  }

  #grant(lane: LaneState, ticket: Ticket): void {
    ticket.tries += 1;
    ticket.outcome = UNSENT;
    ticket.network = 'unknown';
    ticket.permit = this.#options.limits.take(ticket.key);
    ticket.isProbe = this.#breaker(ticket.origin).take();
    lane.inFlight += 1;
    if (!ticket.inOrder) return;
    ticket.flow ??= flowOf(lane, ticket);
    ticket.flow.owner = ticket;
  }

  #enqueue(lane: LaneState, ticket: Ticket): Promise<Refusal | undefined> {
    const { clock } = this.#options;
    ticket.expiry = clock.setTimeout(
      () => this.#finish(ticket, this.#expired(ticket)),
      ticket.deadlineAtMs - clock.monotonic(),
    );
    const settled = new Promise<Refusal | undefined>((resolve) => (ticket.settle = resolve));
    const flow = flowOf(lane, ticket);
    ticket.flow = flow;
    // One that was let through before is older than those that wait.
    if (ticket.tries > 0) flow.tickets.unshift(ticket);
    else flow.tickets.push(ticket);
    lane.queued[ticket.priority] += 1;
    if (!flow.place) place(flow);
    this.#pump(lane);
    return settled;
  }

  #expired(ticket: Ticket): Refusal {
    const denial = this.#ask(ticket);
    if (denial?.gate instanceof CircuitBreaker) return { why: 'unreachable' };
    if (denial?.untilMs === undefined) return { why: 'late' };
    const waitMs = denial.untilMs - this.#options.clock.monotonic();
    return { why: 'limited', retryAfterMs: Math.ceil(waitMs) };
  }

  /** Ends a wait without letting the call through. */
  #finish(ticket: Ticket, refusal: Refusal | undefined): void {
    this.#remove(ticket);
    settle(ticket, refusal);
    this.#forget(this.#laneOf(ticket));
  }

  /** Takes a call out of its flow, wherever it is. */
  #remove(ticket: Ticket): void {
    const { flow } = ticket;
    const index = flow?.tickets.indexOf(ticket) ?? -1;
    if (!flow || index < 0) return;
    flow.tickets.splice(index, 1);
    flow.lane.queued[flow.priority] -= 1;
    if (headOf(flow)) return;
    const { gate } = flow;
    place(flow);
    if (gate) this.#closeEmpty(gate);
  }

  #pump(lane: LaneState): void {
    while (hasRoom(lane)) {
      const flow = firstOf(lane.ready);
      if (!flow) return;
      this.#try(flow);
    }
  }

  /** Lets the first of a flow through, or places the flow at the gate that denies it. */
  #try(flow: Flow): void {
    for (let ticket = headOf(flow); ticket; ticket = headOf(flow)) {
      const denial = this.#ask(ticket);
      const refusal = this.#refusalOf(ticket, denial);
      if (refusal) {
        this.#finish(ticket, refusal);
        continue;
      }
      if (denial) {
        this.#wait(flow, denial);
        return;
      }
      // In this order: a flow in which nothing waits is kept as long as it has an owner.
      this.#grant(flow.lane, ticket);
      this.#remove(ticket);
      settle(ticket, undefined);
      break;
    }
    place(flow);
  }

  /** Places a flow at the gate that denies it. */
  #wait(flow: Flow, { gate: key, untilMs }: Denial): void {
    const gate = this.#gates.get(key) ?? {
      waiting: createFlows(),
      untilMs: undefined,
      sleep: undefined,
    };
    this.#gates.set(key, gate);
    place(flow, gate.waiting[flow.priority]);
    flow.gate = key;
    this.#sleep(key, gate, untilMs);
  }

  /** Tries the flows that wait at a gate, as long as it lets them through. */
  #open(key: object): void {
    if (this.#gates.size === 0) return;
    for (let flow = this.#firstAt(key); flow; flow = this.#firstAt(key)) {
      const ticket = headOf(flow);
      const denial = ticket && this.#ask(ticket);
      const gate = this.#gates.get(key);
      if (gate && ticket && denial?.gate === key && !this.#refusalOf(ticket, denial)) {
        this.#sleep(key, gate, denial.untilMs);
        return;
      }
      place(flow);
      this.#pump(flow.lane);
    }
    this.#closeEmpty(key);
  }

  #firstAt(key: object): Flow | undefined {
    const gate = this.#gates.get(key);
    return gate && firstOf(gate.waiting);
  }

  /** Forgets a gate at which no flow waits. */
  #closeEmpty(key: object): void {
    const gate = this.#gates.get(key);
    if (!gate || firstOf(gate.waiting)) return;
    gate.sleep?.abort();
    this.#gates.delete(key);
  }

  /** Tries a gate again at a time. A sleep and not a timer: a call that waits keeps the process alive. */
  #sleep(key: object, gate: Gate, untilMs: number | undefined): void {
    if (gate.sleep && gate.untilMs === untilMs) return;
    gate.sleep?.abort();
    gate.untilMs = untilMs;
    gate.sleep = undefined;
    if (untilMs === undefined) return;
    const { clock } = this.#options;
    const sleep = new AbortController();
    gate.sleep = sleep;
    clock.sleep(untilMs - clock.monotonic(), { signal: sleep.signal }).then(
      () => {
        if (gate.sleep !== sleep) return;
        gate.sleep = undefined;
        this.#open(key);
      },
      // It was ended for another one, or because nothing waits any more.
      () => {},
    );
  }

  #laneOf({ lane, origin }: Ticket): LaneState {
    if (lane === 'interaction') return this.#interactions;
    if (lane === 'general') return this.#general;
    const known = this.#uploads.get(origin) ?? createLane(lane, origin);
    this.#uploads.set(origin, known);
    return known;
  }

  /** Forgets the lane of an origin at which nothing waits. */
  #forget({ origin, inFlight, flows }: LaneState): void {
    if (origin !== '' && inFlight === 0 && flows.size === 0) this.#uploads.delete(origin);
  }

  #breaker(origin: string): CircuitBreaker {
    const known = this.#breakers.get(origin);
    if (known) return known;
    const breaker = new CircuitBreaker(this.#options);
    this.#breakers.set(origin, breaker);
    return breaker;
  }
}

function createLane(lane: Lane, origin: string): LaneState {
  return {
    lane,
    origin,
    inFlight: 0,
    maxInFlight: MAX_IN_FLIGHT[lane],
    queued: { interaction: 0, awaited: 0, background: 0 },
    flows: new Map(),
    ready: createFlows(),
  };
}

function createFlows(): Flows {
  return { interaction: new Set(), awaited: new Set(), background: new Set() };
}

function firstOf(flows: Flows): Flow | undefined {
  for (const priority of PRIORITY_CLASSES) {
    // Every request passes here, and mostly nothing waits: no iterator is made for an empty set.
    if (flows[priority].size === 0) continue;
    const [first] = flows[priority];
    return first;
  }
  return undefined;
}

function hasRoom({ inFlight, maxInFlight }: LaneState): boolean {
  return inFlight < maxInFlight;
}

/** Whether a call waits whose turn is before a new call of this class. */
function isAnyReady({ ready }: LaneState, priority: PriorityClass): boolean {
  for (const each of PRIORITY_CLASSES) {
    if (ready[each].size > 0) return true;
    if (each === priority) break;
  }
  return false;
}

function flowOf(lane: LaneState, ticket: Ticket): Flow {
  const name = flowName(ticket);
  const known = lane.flows.get(name);
  if (known) return known;
  const { priority } = ticket;
  const flow: Flow = {
    name,
    lane,
    priority,
    tickets: [],
    owner: undefined,
    place: undefined,
    gate: undefined,
  };
  lane.flows.set(name, flow);
  return flow;
}

/** The calls of an interaction are one flow; elsewhere each class of each route of a channel is. */
function flowName({ priority, key: { route, major, isBrief } }: Ticket): string {
  return isBrief ? major : `${priority} ${route} ${major}`;
}

/** The call whose turn it is, if any may go. */
function headOf({ tickets, owner }: Flow): Ticket | undefined {
  const first = tickets[0];
  return owner === undefined || owner === first ? first : undefined;
}

/** Moves a flow to the end of those of a gate, or of those that may be tried when it has a call whose turn it is. */
function place(flow: Flow, at?: Set<Flow>): void {
  const { lane, priority } = flow;
  flow.place?.delete(flow);
  flow.place = headOf(flow) ? (at ?? lane.ready[priority]) : undefined;
  flow.place?.add(flow);
  flow.gate = undefined;
  if (flow.tickets.length === 0 && !flow.owner) lane.flows.delete(flow.name);
}

function settle(ticket: Ticket, refusal: Refusal | undefined): void {
  ticket.expiry?.cancel();
  ticket.expiry = undefined;
  ticket.settle?.(refusal);
  ticket.settle = undefined;
}
