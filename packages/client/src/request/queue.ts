import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Admission, LimitedBucket } from './bucket.js';
import { PRIORITY_CLASSES, type Call, type Refusal } from './call.js';
import { CircuitBreaker, type OriginHealth } from './circuit-breaker.js';
import { headOf, LaneQueue, type Flow } from './lane-queue.js';
import { UNSENT, type RequestEnd } from './outcome.js';
import type { RateLimits } from './rate-limits.js';

/** Result of `rest.limits()`: plain data of one moment. */
export interface LimitsSnapshot {
  /** Buckets that a 429 limits, with the stated pauses and limits. */
  readonly buckets: readonly LimitedBucket[];
  /** Number of requests in flight by lane. */
  readonly inFlight: Readonly<Record<'interaction' | 'general' | 'upload', number>>;
  /** Number of waiting calls by class. */
  readonly queued: Readonly<Record<'interaction' | 'awaited' | 'background', number>>;
  readonly origins: readonly OriginHealth[];
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: RateLimits;
}

/** Maximum number of waiting calls of each class in a lane, so that `background` calls cannot exclude `awaited` calls. */
const MAX_QUEUED = 10_000;

/** Maximum number of remembered circuit breakers, without open ones: upload addresses can have any origin. */
const MAX_ORIGINS = 64;

/**
 * Decides which call is sent next: classes in strict order, the flows of a class in turns, the calls of a flow first in,
 * first out. A flow that waits for a rate limit or an unreachable origin delays no other flow.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #interactions = new LaneQueue('interaction');
  readonly #general = new LaneQueue('general');
  /** Lanes of uploads in use, by origin: a slow or dead storage must not delay another storage. */
  readonly #uploads = new Map<string, LaneQueue>();
  readonly #breakers = new LruMap<CircuitBreaker>({
    maxSize: MAX_ORIGINS,
    keep: (breaker) => breaker.isOpen,
  });

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Number of origins with waiting or running uploads. */
  get uploadOrigins(): number {
    return this.#uploads.size;
  }

  /** Returns the limits, calls and origins of this moment. */
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
   * Admits a call now (returns `undefined`), later (the promise resolves to `undefined`) or never (to a refusal). An
   * admitted call holds a permit until `release`.
   */
  admit(call: Call): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(call);
    const answer = this.#ask(call);
    const flow = lane.find(call);
    const isNext = !flow || flow.owner === call || (!flow.owner && flow.calls.length === 0);
    // In a lane with room, all waiting calls are held back by a limit, so no call is ahead of this call.
    if (answer === 'go' && isNext && lane.hasRoom) {
      this.#grant(lane, call);
      return undefined;
    }
    // A call that was admitted before may always wait again.
    const isFull = !call.wasAdmitted && lane.queued[call.priority] >= MAX_QUEUED;
    if (!isFull && typeof answer !== 'object') return this.#enqueue(lane, call);
    this.#forget(lane);
    return Promise.resolve(typeof answer === 'object' ? answer : { why: 'queue-full' });
  }

  /** Returns true if the lane of a call has requests in flight, so that one of their connections will be free. */
  isShared(call: Call): boolean {
    return this.#laneOf(call).inFlight > 0;
  }

  cancel(call: Call): void {
    this.#finish(call, undefined);
  }

  /** Releases the permit of a request that has ended or was never made. Does nothing without a permit. */
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
    // A longer pause may exceed the deadline of waiting calls, so the flow is checked again.
    const flow = lane.find(call);
    if (flow) flow.notBeforeMs = 0;
    this.#pump(lane);
    if (wasOpen) for (const other of [this.#interactions, this.#general]) this.#pump(other);
    this.#forget(lane);
  }

  /** Ends a call, so that the next call of its route and channel can begin. */
  end(call: Call): void {
    const { flow } = call;
    if (flow?.owner !== call) return;
    flow.owner = undefined;
    flow.lane.requeue(flow);
    this.#pump(flow.lane);
  }

  /** Returns if or when a call may go, or a refusal for a pause beyond the deadline of the call. */
  #ask(call: Call): Admission | Refusal {
    const reached = this.#askBreaker(call);
    if (reached !== 'go') return reached;
    const answer = this.#options.limits.ask(call.key);
    if (typeof answer !== 'number' || answer < call.deadlineAtMs) return answer;
    return { why: 'limited', retryAfterMs: Math.ceil(answer - this.#options.clock.monotonic()) };
  }

  #askBreaker(call: Call): Admission {
    // An answer to an interaction is worth one try, whatever happened to earlier requests.
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
    // A call that was admitted before is older than the waiting calls.
    if (call.wasAdmitted) flow.calls.unshift(call);
    else flow.calls.push(call);
    lane.queued[call.priority] += 1;
    // Only this flow has changed, so only this flow is tried.
    if (lane.hasRoom)
      this.#wake(lane, Math.min(lane.wakesAtMs, this.#try(flow, clock.monotonic())));
    return settled;
  }

  #expired(call: Call): Refusal {
    if (this.#askBreaker(call) !== 'go') return { why: 'unreachable' };
    const answer = this.#ask(call);
    return typeof answer === 'object' ? answer : { why: 'late' };
  }

  /** Ends the wait of a call without admitting it. */
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

  /** Admits calls while there is room, and schedules the next attempt. */
  #pump(lane: LaneQueue): void {
    if (lane.isEmpty) return;
    let nextAtMs = Number.POSITIVE_INFINITY;
    // The clock is read once: each ended call checks all flows, and thousands of them may be paused.
    const nowMs = this.#options.clock.monotonic();
    for (const priority of PRIORITY_CLASSES) {
      // An admitted call moves its flow to the end, so the loop reaches the flow again.
      for (const flow of lane.flows[priority].values()) {
        if (!lane.hasRoom) return;
        nextAtMs = Math.min(nextAtMs, this.#try(flow, nowMs));
      }
    }
    this.#wake(lane, nextAtMs);
  }

  /** Admits the first call of a flow if it may go. Returns the time when it may go; `Infinity` if admitted or unknown. */
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
        // A pause never becomes shorter, but an origin may become reachable at any time.
        if (this.#askBreaker(call) === 'go') flow.notBeforeMs = answer;
        return answer;
      }
      // The order matters: the owner keeps a flow without waiting calls alive.
      this.#grant(flow.lane, call);
      this.#remove(call);
      flow.lane.requeue(flow);
      settle(call, undefined);
      break;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Tries a lane again at a time. The wait is a sleep, not a timer, because a waiting call keeps the process alive. */
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
    // The sleep rejects when a new sleep replaces it, or when no call waits any more.
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

/** Ends the wait of a call. Does nothing if the call does not wait. */
function settle(call: Call, refusal: Refusal | undefined): void {
  call.expiry?.cancel();
  call.expiry = undefined;
  call.resolve?.(refusal);
  call.resolve = undefined;
}
