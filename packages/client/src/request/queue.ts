import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Admission, LimitedBucket } from './bucket.js';
import { PRIORITY_CLASSES, type Call, type Refusal } from './call.js';
import { CircuitBreaker, type OriginHealth } from './circuit-breaker.js';
import { headOf, LaneQueue, type Flow } from './lane-queue.js';
import { UNSENT, type RequestEnd } from './outcome.js';
import type { RateLimits } from './rate-limits.js';

/** What `rest.limits()` returns: plain data, taken at one moment. */
export interface LimitsSnapshot {
  /** Buckets that a 429 limits, with the pauses and limits that the platform stated. */
  readonly buckets: readonly LimitedBucket[];
  /** Requests in flight. */
  readonly inFlight: Readonly<Record<'interaction' | 'general' | 'upload', number>>;
  /** Calls that wait for their turn. */
  readonly queued: Readonly<Record<'interaction' | 'awaited' | 'background', number>>;
  readonly origins: readonly OriginHealth[];
}

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
    const origins = this.#breakers.entries().map(([origin, { faults, isOpen }]) => {
      return { origin, faults, isCircuitOpen: isOpen } satisfies OriginHealth;
    });
    return { buckets: this.#options.limits.snapshot(), inFlight, queued, origins };
  }

  /**
   * Lets a call through: now (`undefined`), or later, or never (a refusal). One that was let through
   * holds a permit until `release`.
   */
  admit(call: Call): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(call);
    const answer = this.#ask(call);
    const flow = lane.find(call);
    const isNext = !flow || flow.owner === call || (!flow.owner && flow.calls.length === 0);
    // Where there is room, whatever waits is held back: nothing that may go is before it.
    if (answer === 'go' && isNext && lane.hasRoom) {
      this.#grant(lane, call);
      return undefined;
    }
    // One that was let through before keeps its place.
    const isFull = !call.wasAdmitted && lane.queued[call.priority] >= MAX_QUEUED;
    if (!isFull && typeof answer !== 'object') return this.#enqueue(lane, call);
    this.#forget(lane);
    return Promise.resolve(typeof answer === 'object' ? answer : { why: 'queue-full' });
  }

  /** Whether other requests share the connections of a call: one of them will be free. */
  isShared(call: Call): boolean {
    return this.#laneOf(call).inFlight > 0;
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
    lane.leave(end.isFull === true);
    const breaker = this.#breaker(call.plan.origin);
    const wasOpen = breaker.isOpen;
    breaker.release(end.network, call.key.route);
    this.#options.limits.release(permit, end.limit);
    // A longer pause may be too long for some of them.
    const flow = lane.find(call);
    if (flow) flow.notBeforeMs = 0;
    this.#pump(lane);
    if (wasOpen) for (const other of [this.#interactions, this.#general]) this.#pump(other);
    this.#forget(lane);
  }

  /** Ends a call: the next of its route and channel may begin. */
  end(call: Call): void {
    const { flow } = call;
    if (flow?.owner !== call) return;
    flow.owner = undefined;
    flow.lane.requeue(flow);
    this.#pump(flow.lane);
  }

  /** May a call go? A wait that is known to be longer than the call may wait is neither begun nor continued. */
  #ask(call: Call): Admission | Refusal {
    const reached = this.#askBreaker(call);
    if (reached !== 'go') return reached;
    const answer = this.#options.limits.ask(call.key);
    if (typeof answer !== 'number' || answer < call.deadlineAtMs) return answer;
    return { why: 'limited', retryAfterMs: Math.ceil(answer - this.#options.clock.monotonic()) };
  }

  #askBreaker(call: Call): Admission {
    // An answer to an interaction is worth one try whatever happened to others before it.
    if (call.priority === 'interaction' && !call.isRetry && !call.wasAdmitted) return 'go';
    return this.#breaker(call.plan.origin).ask(call.key.route);
  }

  #grant(lane: LaneQueue, call: Call): void {
    call.wasAdmitted = true;
    call.permit = this.#options.limits.take(call.key);
    this.#breaker(call.plan.origin).take(call.key.route);
    lane.inFlight += 1;
    if (!call.inOrder) return;
    call.flow ??= lane.open(call);
    call.flow.owner = call;
  }

  #enqueue(lane: LaneQueue, call: Call): Promise<Refusal | undefined> {
    const { clock } = this.#options;
    const expire = (): void => this.#finish(call, this.#expired(call));
    call.expiry = clock.setTimeout(expire, call.deadlineAtMs - clock.monotonic());
    const settled = new Promise<Refusal | undefined>((resolve) => (call.resolve = resolve));
    const flow = lane.open(call);
    call.flow = flow;
    // One that was let through before is older than those that wait.
    if (call.wasAdmitted) flow.calls.unshift(call);
    else flow.calls.push(call);
    lane.queued[call.priority] += 1;
    // Only this flow: the others wait as before.
    if (lane.hasRoom)
      this.#wake(lane, Math.min(lane.wakesAtMs, this.#try(flow, clock.monotonic())));
    return settled;
  }

  #expired(call: Call): Refusal {
    if (this.#askBreaker(call) !== 'go') return { why: 'unreachable' };
    const answer = this.#ask(call);
    return typeof answer === 'object' ? answer : { why: 'late' };
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
    if (flow.calls.length === 0) flow.lane.requeue(flow);
    if (flow.lane.isEmpty) this.#wake(flow.lane, Number.POSITIVE_INFINITY);
  }

  /** Lets calls through while there is room, and waits until the next one may go. */
  #pump(lane: LaneQueue): void {
    if (lane.isEmpty) return;
    let nextAtMs = Number.POSITIVE_INFINITY;
    // Read once: thousands of flows may be paused, and each call that ends passes all of them.
    const nowMs = this.#options.clock.monotonic();
    for (const priority of PRIORITY_CLASSES) {
      // One that was let through moves its flow to the end, where it is met again.
      for (const flow of lane.flows[priority].values()) {
        if (!lane.hasRoom) return;
        nextAtMs = Math.min(nextAtMs, this.#try(flow, nowMs));
      }
    }
    this.#wake(lane, nextAtMs);
  }

  /** Lets the first call of a flow through, if it may go. Returns when it may, as far as that is known. */
  #try(flow: Flow, nowMs: number): number {
    for (let call = headOf(flow); call; call = headOf(flow)) {
      if (flow.notBeforeMs > nowMs) return flow.notBeforeMs;
      const answer = this.#ask(call);
      if (typeof answer === 'object') {
        this.#finish(call, answer);
        continue;
      }
      if (answer === 'busy') break;
      if (typeof answer === 'number') {
        // An origin may be reached again at any time; a pause becomes no shorter.
        if (this.#askBreaker(call) === 'go') flow.notBeforeMs = answer;
        return answer;
      }
      // In this order: a flow in which nothing waits is kept as long as it has an owner.
      this.#grant(flow.lane, call);
      this.#remove(call);
      flow.lane.requeue(flow);
      settle(call, undefined);
      break;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Tries a lane again at a time. A sleep and not a timer: a call that waits keeps the process alive. */
  #wake(lane: LaneQueue, atMs: number): void {
    if (lane.wakesAtMs === atMs) return;
    lane.sleep?.abort();
    lane.sleep = undefined;
    lane.wakesAtMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#options;
    const sleep = new AbortController();
    lane.sleep = sleep;
    const wake = (): void => {
      if (lane.sleep !== sleep) return;
      lane.wakesAtMs = Number.POSITIVE_INFINITY;
      this.#pump(lane);
    };
    // It rejects when it was ended for another one, or because nothing waits any more.
    clock.sleep(atMs - clock.monotonic(), { signal: sleep.signal }).then(wake, () => {});
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
