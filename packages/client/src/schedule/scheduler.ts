import type { Clock } from '@virgule/core/clock';
import type { Lane } from '../http/connections.js';
import { CircuitBreaker } from '../limits/circuit-breaker.js';
import type { InvalidRequestGuard } from '../limits/invalid-request-guard.js';
import type { Limiter } from '../limits/limiter.js';
import { LruMap } from '../limits/lru-map.js';
import { headOf, unplace, type Flow } from './flow.js';
import { GateKeeper } from './gate-keeper.js';
import { LaneQueue } from './lane-queue.js';
import { UNSENT, type Refusal, type Ticket } from './ticket.js';

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limiter: Limiter;
  readonly guard: InvalidRequestGuard;
}

/** Who says that a call may not go yet, and until when; `undefined`: until another one is done. */
interface Denial {
  readonly gate: object;
  readonly untilMs: number | undefined;
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
const MOST_ORIGINS = 64;

/** Decides who is sent next. What it waits for is one sleep for all pauses, and the calls themselves. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #interactions = new LaneQueue(MAX_IN_FLIGHT.interaction);
  readonly #general = new LaneQueue(MAX_IN_FLIGHT.general);
  /** By origin, while there are any: a storage that is slow or dead must not hold up another. */
  readonly #uploads = new Map<string, LaneQueue>();
  readonly #breakers = new LruMap<CircuitBreaker>({
    maxSize: MOST_ORIGINS,
    keep: (breaker) => breaker.isOpen,
  });
  readonly #gates: GateKeeper;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#gates = new GateKeeper(options.clock, (gate) => this.#release(gate));
  }

  /** The queues of each lane: uploads have one for each origin. */
  get lanes(): Readonly<Record<Lane, readonly LaneQueue[]>> {
    return {
      interaction: [this.#interactions],
      general: [this.#general],
      upload: [...this.#uploads.values()],
    };
  }

  breakers(): readonly (readonly [string, CircuitBreaker])[] {
    return this.#breakers.entries();
  }

  /**
   * Lets a call through: now (`undefined`), or later, or never (a refusal). One that was let through
   * holds a permit until `giveBack`.
   */
  admit(ticket: Ticket): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(ticket);
    const denial = this.#ask(ticket);
    const refusal = this.#unfit(ticket, denial);
    if (refusal) {
      this.#tidy(ticket);
      return Promise.resolve(refusal);
    }
    const flow = lane.flowOf(ticket);
    const isNext = flow === undefined || flow.owner === ticket || isIdle(flow);
    if (!denial && isNext && lane.hasRoom && !lane.waitsBefore(ticket.priority)) {
      this.#grant(lane, ticket);
      return undefined;
    }
    if (lane.queuedOf(ticket.priority) >= MAX_QUEUED) return Promise.resolve({ why: 'queue full' });
    return this.#enqueue(lane, ticket);
  }

  /** The call does not want to wait any more. */
  cancel(ticket: Ticket): void {
    this.#finish(ticket, undefined);
  }

  /** The request is over, or was never made. Does nothing when the ticket holds no permit. */
  giveBack(ticket: Ticket): void {
    const { permit } = ticket;
    if (!permit) return;
    ticket.permit = undefined;
    const lane = this.#laneOf(ticket);
    lane.inFlight -= 1;
    const breaker = this.#breaker(ticket.origin);
    breaker.giveBack(ticket.isProbe, ticket.network);
    const freed = this.#options.limiter.giveBack(permit, ticket.outcome);
    for (const bucket of freed) this.#release(bucket);
    this.#release(breaker);
    this.#pump(lane);
    this.#tidy(ticket);
  }

  /** The call has ended: the next of its route and channel may begin. */
  leave(ticket: Ticket): void {
    const { flow } = ticket;
    if (flow?.owner !== ticket) return;
    flow.owner = undefined;
    const lane = this.#laneOf(ticket);
    lane.ready(flow);
    this.#pump(lane);
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
    return this.#options.limiter.ask(ticket.key);
  }

  /** A wait that is known to be longer than the call may wait is neither begun nor continued. */
  #unfit(ticket: Ticket, denial: Denial | undefined): Refusal | undefined {
    if (ticket.priority === 'background' && this.#options.guard.blocks) {
      return { why: 'too many refused requests' };
    }
    if (denial?.untilMs === undefined || denial.gate instanceof CircuitBreaker) return undefined;
    if (denial.untilMs < ticket.deadlineAtMs) return undefined;
    const waitMs = denial.untilMs - this.#options.clock.monotonic();
    return { why: 'limited', retryAfterMs: Math.ceil(waitMs) };
  }

  #grant(lane: LaneQueue, ticket: Ticket): void {
    ticket.tries += 1;
    ticket.outcome = UNSENT;
    ticket.network = 'unknown';
    ticket.permit = this.#options.limiter.take(ticket.key);
    ticket.isProbe = this.#breaker(ticket.origin).take();
    lane.inFlight += 1;
    if (!ticket.inOrder) return;
    ticket.flow ??= lane.openFlow(ticket);
    ticket.flow.owner = ticket;
  }

  #enqueue(lane: LaneQueue, ticket: Ticket): Promise<Refusal | undefined> {
    const { clock } = this.#options;
    ticket.expiry = clock.setTimeout(
      () => this.#finish(ticket, this.#expired(ticket)),
      ticket.deadlineAtMs - clock.monotonic(),
    );
    const settled = new Promise<Refusal | undefined>((resolve) => (ticket.settle = resolve));
    lane.add(lane.openFlow(ticket), ticket);
    this.#pump(lane);
    return settled;
  }

  #expired(ticket: Ticket): Refusal {
    const nowMs = this.#options.clock.monotonic();
    const denial = this.#ask(ticket);
    if (denial?.gate instanceof CircuitBreaker) return { why: 'unreachable' };
    if (denial?.untilMs !== undefined) {
      return { why: 'limited', retryAfterMs: Math.ceil(denial.untilMs - nowMs) };
    }
    return { why: 'late' };
  }

  /** Ends a wait without letting the call through. */
  #finish(ticket: Ticket, refusal: Refusal | undefined): void {
    const { flow } = ticket;
    const gate = flow?.gate;
    this.#laneOf(ticket).remove(ticket);
    this.#settle(ticket, refusal);
    if (gate) this.#gates.tidy(gate);
    this.#tidy(ticket);
  }

  #settle(ticket: Ticket, refusal: Refusal | undefined): void {
    ticket.expiry?.cancel();
    ticket.expiry = undefined;
    ticket.settle?.(refusal);
    ticket.settle = undefined;
  }

  #pump(lane: LaneQueue): void {
    while (lane.hasRoom) {
      const flow = lane.next();
      if (!flow) return;
      this.#try(lane, flow);
    }
  }

  /** Lets the first of a flow through, or places the flow at the gate that denies it. */
  #try(lane: LaneQueue, flow: Flow): void {
    for (let ticket = headOf(flow); ticket; ticket = headOf(flow)) {
      const denial = this.#ask(ticket);
      const refusal = this.#unfit(ticket, denial);
      if (refusal) {
        this.#finish(ticket, refusal);
        continue;
      }
      if (denial) {
        this.#gates.park(flow, denial.gate, denial.untilMs);
        return;
      }
      // In this order: a flow that nobody waits in is kept as long as it has an owner.
      this.#grant(lane, ticket);
      lane.remove(ticket);
      this.#settle(ticket, undefined);
      break;
    }
    lane.ready(flow);
  }

  /** Something changed at a gate: those who wait there are tried, as long as it lets them through. */
  #release(gate: object): void {
    if (!this.#gates.has(gate)) return;
    for (let flow = this.#gates.first(gate); flow; flow = this.#gates.first(gate)) {
      const ticket = headOf(flow);
      const denial = ticket && this.#ask(ticket);
      if (ticket && denial?.gate === gate && !this.#unfit(ticket, denial)) {
        this.#gates.keep(gate, denial.untilMs);
        return;
      }
      unplace(flow);
      if (!ticket) continue;
      const lane = this.#laneOf(ticket);
      lane.ready(flow);
      this.#pump(lane);
    }
    this.#gates.tidy(gate);
  }

  #laneOf({ lane, origin }: Ticket): LaneQueue {
    if (lane === 'interaction') return this.#interactions;
    if (lane === 'general') return this.#general;
    const known = this.#uploads.get(origin) ?? new LaneQueue(MAX_IN_FLIGHT.upload);
    this.#uploads.set(origin, known);
    return known;
  }

  /** Forgets the queue of an origin at which nothing waits. */
  #tidy({ lane, origin }: Ticket): void {
    const queue = lane === 'upload' ? this.#uploads.get(origin) : undefined;
    if (queue && queue.inFlight === 0 && queue.queued === 0) this.#uploads.delete(origin);
  }

  #breaker(origin: string): CircuitBreaker {
    const known = this.#breakers.get(origin);
    if (known) return known;
    const breaker = new CircuitBreaker(this.#options);
    this.#breakers.set(origin, breaker);
    return breaker;
  }
}

function isIdle({ owner, tickets }: Flow): boolean {
  return owner === undefined && tickets.size === 0;
}
