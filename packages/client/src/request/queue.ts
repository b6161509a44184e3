import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import { CircuitBreaker } from './circuit-breaker.js';
import { firstOf, headOf, LaneQueue, type Flow } from './flow.js';
import { Gates, type Denial } from './gates.js';
import type { LimitsSnapshot, OriginHealth } from './limits-snapshot.js';
import { PRIORITY_CLASSES } from './request-plan.js';
import type { RateLimits } from './rate-limits.js';
import type { RefusalGuard } from './refusal-guard.js';
import { UNSENT, type Refusal, type Ticket } from './ticket.js';

export interface QueueOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RateLimits;
  readonly guard: RefusalGuard;
}

/** How many calls of each class wait at most in a lane: background ones must not shut awaited ones out. */
const MAX_QUEUED = 10_000;

/** Upload addresses can be anywhere. */
const MAX_ORIGINS = 64;

/**
 * Decides which call is sent next: classes in strict order, the flows of a class in turns, the calls of a flow in the
 * order they came. A flow that waits for a rate limit or an unreachable origin delays no other.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #interactions = new LaneQueue('interaction');
  readonly #general = new LaneQueue('general');
  /** By origin, while there are any: a storage that is slow or dead must not hold up another. */
  readonly #uploads = new Map<string, LaneQueue>();
  readonly #gates: Gates;
  readonly #breakers = new LruMap<CircuitBreaker>({
    maxSize: MAX_ORIGINS,
    keep: (breaker) => breaker.isOpen,
  });

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#gates = new Gates(options.clock, (key) => this.#open(key));
  }

  origins(): readonly OriginHealth[] {
    return this.#breakers.entries().map(([origin, { faults, isOpen, probeInMs }]) => ({
      origin,
      faults,
      isCircuitOpen: isOpen,
      probeInMs,
    }));
  }

  /** Origins with uploads that wait or are in flight. */
  get uploadOrigins(): number {
    return this.#uploads.size;
  }

  snapshot(): Pick<LimitsSnapshot, 'inFlight' | 'queued'> {
    const inFlight = { interaction: 0, general: 0, upload: 0 };
    const queued = { interaction: 0, awaited: 0, background: 0 };
    for (const each of [this.#interactions, this.#general, ...this.#uploads.values()]) {
      inFlight[each.lane] += each.inFlight;
      for (const priority of PRIORITY_CLASSES) queued[priority] += each.queued[priority];
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
    const flow = lane.find(ticket);
    const isNext = !flow || flow.owner === ticket || (!flow.owner && flow.tickets.length === 0);
    if (!denial && isNext && lane.hasRoom && !lane.isAnyReady(priority)) {
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
    flow.lane.place(flow);
    this.#pump(flow.lane);
  }

  #ask(ticket: Ticket): Denial | undefined {
    // An answer to an interaction is worth one try whatever happened to others before it.
    if (ticket.priority !== 'interaction' || ticket.tries > 0) {
      const gate = this.#breaker(ticket.origin);
      const answer = gate.ask();
      if (answer !== 'go') return { gate, untilMs: answer === 'busy' ? undefined : answer };
    }
    return this.#options.limits.ask(ticket.key);
  }

  /** A wait that is known to be longer than the call may wait is neither begun nor continued. */
  #refusalOf(ticket: Ticket, denial: Denial | undefined): Refusal | undefined {
    if (ticket.priority === 'background' && this.#options.guard.blocks) {
      return { why: 'too-many-refusals' };
    }
    if (denial?.untilMs === undefined || denial.gate instanceof CircuitBreaker) return undefined;
    return denial.untilMs < ticket.deadlineAtMs ? undefined : this.#limited(denial.untilMs);
  }

  #limited(untilMs: number): Refusal {
    const waitMs = untilMs - this.#options.clock.monotonic();
    return { why: 'limited', retryAfterMs: Math.ceil(waitMs) };
  }

  #grant(lane: LaneQueue, ticket: Ticket): void {
    ticket.tries += 1;
    ticket.outcome = UNSENT;
    ticket.network = 'unknown';
    ticket.permit = this.#options.limits.take(ticket.key);
    ticket.isProbe = this.#breaker(ticket.origin).take();
    lane.inFlight += 1;
    if (!ticket.inOrder) return;
    ticket.flow ??= lane.open(ticket);
    ticket.flow.owner = ticket;
  }

  #enqueue(lane: LaneQueue, ticket: Ticket): Promise<Refusal | undefined> {
    const { clock } = this.#options;
    ticket.expiry = clock.setTimeout(
      () => this.#finish(ticket, this.#expired(ticket)),
      ticket.deadlineAtMs - clock.monotonic(),
    );
    const settled = new Promise<Refusal | undefined>((resolve) => (ticket.resolve = resolve));
    const flow = lane.open(ticket);
    ticket.flow = flow;
    // One that was let through before is older than those that wait.
    if (ticket.tries > 0) flow.tickets.unshift(ticket);
    else flow.tickets.push(ticket);
    lane.queued[ticket.priority] += 1;
    if (!flow.place) lane.place(flow);
    this.#pump(lane);
    return settled;
  }

  #expired(ticket: Ticket): Refusal {
    const denial = this.#ask(ticket);
    if (denial?.gate instanceof CircuitBreaker) return { why: 'unreachable' };
    return denial?.untilMs === undefined ? { why: 'late' } : this.#limited(denial.untilMs);
  }

  /** Ends a wait without letting the call through. */
  #finish(ticket: Ticket, refusal: Refusal | undefined): void {
    this.#remove(ticket);
    ticket.settle(refusal);
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
    flow.lane.place(flow);
    if (gate) this.#gates.forget(gate);
  }

  #pump(lane: LaneQueue): void {
    while (lane.hasRoom) {
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
        this.#gates.hold(flow, denial);
        return;
      }
      // In this order: a flow in which nothing waits is kept as long as it has an owner.
      this.#grant(flow.lane, ticket);
      this.#remove(ticket);
      ticket.settle(undefined);
      break;
    }
    flow.lane.place(flow);
  }

  /** Tries the flows that wait at a gate, as long as it lets them through. */
  #open(key: object): void {
    if (this.#gates.isEmpty) return;
    for (let flow = this.#gates.first(key); flow; flow = this.#gates.first(key)) {
      const ticket = headOf(flow);
      const denial = ticket && this.#ask(ticket);
      if (ticket && denial?.gate === key && !this.#refusalOf(ticket, denial)) {
        this.#gates.postpone(denial);
        return;
      }
      flow.lane.place(flow);
      this.#pump(flow.lane);
    }
    this.#gates.forget(key);
  }

  #laneOf({ lane, origin }: Ticket): LaneQueue {
    if (lane === 'interaction') return this.#interactions;
    if (lane === 'general') return this.#general;
    const known = this.#uploads.get(origin) ?? new LaneQueue(lane, origin);
    this.#uploads.set(origin, known);
    return known;
  }

  /** Forgets the lane of an origin at which nothing waits. */
  #forget(lane: LaneQueue): void {
    if (lane.origin !== '' && lane.isIdle) this.#uploads.delete(lane.origin);
  }

  #breaker(origin: string): CircuitBreaker {
    const known = this.#breakers.get(origin);
    if (known) return known;
    const breaker = new CircuitBreaker(this.#options);
    this.#breakers.set(origin, breaker);
    return breaker;
  }
}
