import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Denial } from './bucket.js';
import { PRIORITY_CLASSES, type Call, type Refusal } from './call.js';
import { createGate, firstOf, headOf, LaneQueue, type Flow, type Gate } from './flow.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { LimitsSnapshot, OriginHealth } from './limits-snapshot.js';
import { UNSENT, type RequestEnd } from './outcome.js';
import type { RateLimits } from './rate-limits.js';

export interface QueueOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RateLimits;
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
  readonly #gates = new Map<object, Gate>();
  readonly #breakers = new LruMap<CircuitBreaker>({
    maxSize: MAX_ORIGINS,
    keep: (breaker) => breaker.isOpen,
  });

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Origins with uploads that wait or are in flight. */
  get uploadOrigins(): number {
    return this.#uploads.size;
  }

  /** What `rest.limits()` returns. */
  snapshot(): LimitsSnapshot {
    const inFlight = { interaction: 0, general: 0, upload: 0 };
    const queued = { interaction: 0, awaited: 0, background: 0 };
    for (const each of [this.#interactions, this.#general, ...this.#uploads.values()]) {
      inFlight[each.lane] += each.inFlight;
      for (const priority of PRIORITY_CLASSES) queued[priority] += each.queued[priority];
    }
    const origins = this.#breakers.entries().map(([origin, { faults, isOpen, probeInMs }]) => {
      return { origin, faults, isCircuitOpen: isOpen, probeInMs } satisfies OriginHealth;
    });
    return { buckets: this.#options.limits.snapshot(), inFlight, queued, origins };
  }

  /**
   * Lets a call through: now (`undefined`), or later, or never (a refusal). One that was let through
   * holds a permit until `release`.
   */
  admit(call: Call): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(call);
    const { priority } = call;
    const denial = this.#ask(call);
    const refusal = this.#refusalOf(call, denial);
    if (refusal) {
      this.#forget(lane);
      return Promise.resolve(refusal);
    }
    const flow = lane.find(call);
    const isNext = !flow || flow.owner === call || (!flow.owner && flow.calls.length === 0);
    if (!denial && isNext && lane.hasRoom && !lane.isAnyReady(priority)) {
      this.#grant(lane, call);
      return undefined;
    }
    // One that was let through before keeps its place.
    if (!call.wasAdmitted && lane.queued[priority] >= MAX_QUEUED)
      return Promise.resolve({ why: 'queue-full' });
    return this.#enqueue(lane, call);
  }

  cancel(call: Call): void {
    this.#finish(call, undefined);
  }

  /** Takes the permit of a request that has ended, or was never made. Does nothing when there is none. */
  release(call: Call, end: RequestEnd = UNSENT): void {
    const { permit } = call;
    if (!permit) return;
    call.permit = undefined;
    const lane = this.#laneOf(call);
    lane.inFlight -= 1;
    const breaker = this.#breaker(call.plan.origin);
    breaker.release(call.isProbe, end.network);
    for (const { bucket } of this.#options.limits.release(permit, end.limit)) this.#open(bucket);
    this.#open(breaker);
    this.#pump(lane);
    this.#forget(lane);
  }

  /** Ends a call: the next of its route and channel may begin. */
  end(call: Call): void {
    const { flow } = call;
    if (flow?.owner !== call) return;
    flow.owner = undefined;
    flow.lane.place(flow);
    this.#pump(flow.lane);
  }

  #ask(call: Call): Denial | undefined {
    // An answer to an interaction is worth one try whatever happened to others before it.
    if (call.priority !== 'interaction' || call.wasAdmitted) {
      const gate = this.#breaker(call.plan.origin);
      const answer = gate.ask();
      if (answer !== 'go') return { gate, untilMs: answer === 'busy' ? undefined : answer };
    }
    return this.#options.limits.ask(call.key);
  }

  /** A wait that is known to be longer than the call may wait is neither begun nor continued. */
  #refusalOf(call: Call, denial: Denial | undefined): Refusal | undefined {
    if (denial?.untilMs === undefined || denial.gate instanceof CircuitBreaker) return undefined;
    return denial.untilMs < call.deadlineAtMs ? undefined : this.#limited(denial.untilMs);
  }

  #limited(untilMs: number): Refusal {
    const waitMs = untilMs - this.#options.clock.monotonic();
    return { why: 'limited', retryAfterMs: Math.ceil(waitMs) };
  }

  #grant(lane: LaneQueue, call: Call): void {
    call.wasAdmitted = true;
    call.permit = this.#options.limits.take(call.key);
    call.isProbe = this.#breaker(call.plan.origin).take();
    lane.inFlight += 1;
    if (!call.inOrder) return;
    call.flow ??= lane.open(call);
    call.flow.owner = call;
  }

  #enqueue(lane: LaneQueue, call: Call): Promise<Refusal | undefined> {
    const { clock } = this.#options;
    call.expiry = clock.setTimeout(
      () => this.#finish(call, this.#expired(call)),
      call.deadlineAtMs - clock.monotonic(),
    );
    const settled = new Promise<Refusal | undefined>((resolve) => (call.resolve = resolve));
    const flow = lane.open(call);
    call.flow = flow;
    // One that was let through before is older than those that wait.
    if (call.wasAdmitted) flow.calls.unshift(call);
    else flow.calls.push(call);
    lane.queued[call.priority] += 1;
    if (!flow.place) lane.place(flow);
    this.#pump(lane);
    return settled;
  }

  #expired(call: Call): Refusal {
    const denial = this.#ask(call);
    if (denial?.gate instanceof CircuitBreaker) return { why: 'unreachable' };
    return denial?.untilMs === undefined ? { why: 'late' } : this.#limited(denial.untilMs);
  }

  /** Ends a wait without letting the call through. */
  #finish(call: Call, refusal: Refusal | undefined): void {
    this.#remove(call);
    settle(call, refusal);
    this.#forget(this.#laneOf(call));
  }

  #remove(call: Call): void {
    const { flow } = call;
    const index = flow?.calls.indexOf(call) ?? -1;
    if (!flow || index < 0) return;
    flow.calls.splice(index, 1);
    flow.lane.queued[flow.priority] -= 1;
    if (headOf(flow)) return;
    const { gate } = flow;
    flow.lane.place(flow);
    if (gate) this.#close(gate);
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
    for (let call = headOf(flow); call; call = headOf(flow)) {
      const denial = this.#ask(call);
      const refusal = this.#refusalOf(call, denial);
      if (refusal) {
        this.#finish(call, refusal);
        continue;
      }
      if (denial) {
        this.#hold(flow, denial);
        return;
      }
      // In this order: a flow in which nothing waits is kept as long as it has an owner.
      this.#grant(flow.lane, call);
      this.#remove(call);
      settle(call, undefined);
      break;
    }
    flow.lane.place(flow);
  }

  /** Places a flow at the gate that denies it. */
  #hold(flow: Flow, { gate: key, untilMs }: Denial): void {
    const gate = this.#gates.get(key) ?? createGate(key);
    this.#gates.set(key, gate);
    flow.lane.place(flow, gate);
    this.#sleep(gate, untilMs);
  }

  /** Tries the flows that wait at a gate, as long as it lets them through. */
  #open(key: object): void {
    const gate = this.#gates.get(key);
    if (!gate) return;
    for (let flow = firstOf(gate.waiting); flow; flow = firstOf(gate.waiting)) {
      const call = headOf(flow);
      const denial = call && this.#ask(call);
      if (call && denial?.gate === key && !this.#refusalOf(call, denial)) {
        this.#sleep(gate, denial.untilMs);
        return;
      }
      flow.lane.place(flow);
      this.#pump(flow.lane);
    }
    this.#close(gate);
  }

  /** Forgets a gate at which no flow waits. */
  #close(gate: Gate): void {
    if (firstOf(gate.waiting)) return;
    gate.sleep?.abort();
    this.#gates.delete(gate.key);
  }

  /** Opens a gate when its time has come. A sleep and not a timer: a call that waits keeps the process alive. */
  #sleep(gate: Gate, untilMs: number | undefined): void {
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
        this.#open(gate.key);
      },
      // It was ended for another one, or because nothing waits any more.
      () => {},
    );
  }

  #laneOf({ plan: { lane, origin } }: Call): LaneQueue {
    if (lane === 'interaction') return this.#interactions;
    if (lane === 'general') return this.#general;
    const known = this.#uploads.get(origin) ?? new LaneQueue(lane, origin);
    this.#uploads.set(origin, known);
    return known;
  }

  #forget(lane: LaneQueue): void {
    if (lane.origin !== '' && lane.isIdle) this.#uploads.delete(lane.origin);
  }

  #breaker(origin: string): CircuitBreaker {
    const known = this.#breakers.get(origin);
    if (known) return known;
    const breaker = new CircuitBreaker(this.#options.clock, this.#options.random);
    this.#breakers.set(origin, breaker);
    return breaker;
  }
}

/** Ends the wait of a call, if it waits. */
function settle(call: Call, refusal: Refusal | undefined): void {
  call.expiry?.cancel();
  call.expiry = undefined;
  call.resolve?.(refusal);
  call.resolve = undefined;
}
