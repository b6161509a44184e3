import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Admission, LimitedBucket } from './bucket.js';
import { PRIORITY_CLASSES, type Call, type Refusal } from './call.js';
import { CircuitBreaker, type OriginHealth } from './circuit-breaker.js';
import { LaneQueue, type Flow } from './lane-queue.js';
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
  /** Number of answers 429 since the creation of the client. */
  readonly rateLimited: number;
}

/** Maximum number of waiting calls of each class in a lane, so that `background` calls cannot exclude `awaited` calls. */
const MAX_QUEUED = 10_000;

/** Maximum number of remembered circuit breakers that are neither open nor in use: uploads can have any origin. */
const MAX_ORIGINS = 64;

/**
 * Decides which call is sent next: classes in strict order, the flows of a class in turns, the calls of a flow first in,
 * first out. A flow that waits for a rate limit or an unreachable origin delays no other flow.
 */
export class Queue {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: RateLimits;
  /** Lanes by name; those of uploads in use by origin, so that a dead storage does not delay another storage. */
  readonly #lanes = new Map<string, LaneQueue>();
  readonly #breakers = new LruMap<CircuitBreaker>(
    MAX_ORIGINS,
    (breaker) =>
      breaker.isOpen || [...this.#lanes.values()].some((lane) => lane.breaker === breaker),
  );
  #rateLimited = 0;

  constructor(clock: Clock, random: () => number, limits: RateLimits) {
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
  }

  /** Number of lanes in use. */
  get laneCount(): number {
    return this.#lanes.size;
  }

  /** Returns the limits, calls and origins of this moment. */
  snapshot(): LimitsSnapshot {
    const inFlight = { interaction: 0, general: 0, upload: 0 };
    const queued = { interaction: 0, awaited: 0, background: 0 };
    for (const each of this.#lanes.values()) {
      inFlight[each.lane] += each.inFlight;
      for (const priority of PRIORITY_CLASSES) queued[priority] += each.queued[priority];
    }
    const origins = this.#breakers.entries().map(([origin, { faults, isOpen }]) => {
      return { origin, faults, isCircuitOpen: isOpen } satisfies OriginHealth;
    });
    const buckets = this.#limits.snapshot();
    return { buckets, inFlight, queued, origins, rateLimited: this.#rateLimited };
  }

  /** Admits a call now (`undefined`), later, or never (a refusal). An admitted call holds a permit until `release`. */
  admit(call: Call): Promise<Refusal | undefined> | undefined {
    const lane = this.#laneOf(call);
    call.lane = lane;
    const answer = this.#ask(call, lane);
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

  /** Releases the permit of a request that has ended or was never made. Does nothing without a permit. */
  release(call: Call, { isFull, network, limit }: RequestEnd = UNSENT): void {
    const { lane, permit, key } = call;
    if (!lane || !permit) return;
    call.permit = undefined;
    lane.leave(isFull === true);
    if (limit.kind === 'limited') this.#rateLimited += 1;
    const { breaker } = lane;
    const wasOpen = breaker.isOpen;
    breaker.release(network, key.route);
    this.#limits.release(key, permit, limit);
    // A longer pause may exceed the deadline of waiting calls, so the flow is checked again.
    const flow = lane.find(call);
    if (flow) flow.notBeforeMs = 0;
    this.#pump(lane);
    if (wasOpen) for (const other of this.#lanes.values()) this.#pump(other);
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

  /** Ends the wait of a call without admitting it. */
  cancel(call: Call, refusal?: Refusal): void {
    const { flow } = call;
    this.#remove(call);
    settle(call, refusal);
    if (flow) this.#forget(flow.lane);
  }

  /** Returns if or when a call may go, or a refusal for a pause beyond the deadline of the call. */
  #ask(call: Call, lane: LaneQueue): Admission | Refusal {
    const reached = askBreaker(call, lane);
    if (reached !== 'go') return reached;
    const answer = this.#limits.ask(call.key);
    if (typeof answer !== 'number' || answer < call.deadlineAtMs) return answer;
    return { why: 'limited', retryAfterMs: Math.ceil(answer - this.#clock.monotonic()) };
  }

  #grant(lane: LaneQueue, call: Call): void {
    call.wasAdmitted = true;
    call.permit = this.#limits.take(call.key);
    lane.breaker.take(call.key.route);
    lane.inFlight += 1;
    if (!call.inOrder) return;
    call.flow ??= lane.open(call);
    call.flow.owner = call;
  }

  #enqueue(lane: LaneQueue, call: Call): Promise<Refusal | undefined> {
    const nowMs = this.#clock.monotonic();
    const expire = (): void => this.cancel(call, this.#expired(call, lane));
    call.expiry = this.#clock.setTimeout(expire, call.deadlineAtMs - nowMs);
    const settled = new Promise<Refusal | undefined>((resolve) => (call.resolve = resolve));
    const flow = lane.open(call);
    call.flow = flow;
    // A call that was admitted before is older than the waiting calls.
    if (call.wasAdmitted) flow.calls.unshift(call);
    else flow.calls.push(call);
    lane.queued[call.priority] += 1;
    // Only this flow has changed, so only this flow is tried.
    if (lane.hasRoom) this.#wake(lane, Math.min(lane.wakesAtMs, this.#try(flow, nowMs)));
    return settled;
  }

  #expired(call: Call, lane: LaneQueue): Refusal {
    if (askBreaker(call, lane) !== 'go') return { why: 'unreachable' };
    const answer = this.#ask(call, lane);
    return typeof answer === 'object' ? answer : { why: 'late' };
  }

  #remove(call: Call): void {
    const { flow } = call;
    const index = flow?.calls.indexOf(call) ?? -1;
    if (!flow || index < 0) return;
    const { lane, calls, priority } = flow;
    calls.splice(index, 1);
    lane.queued[priority] -= 1;
    if (calls.length === 0) lane.requeue(flow);
    if (lane.isEmpty) this.#wake(lane, Number.POSITIVE_INFINITY);
  }

  /** Admits calls while there is room, and schedules the next attempt. */
  #pump(lane: LaneQueue): void {
    if (lane.isEmpty) return;
    let nextAtMs = Number.POSITIVE_INFINITY;
    // The clock is read once: each ended call checks all flows, and thousands of them may be paused.
    const nowMs = this.#clock.monotonic();
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
    const { calls, lane } = flow;
    for (let [call] = calls; call; [call] = calls) {
      if (flow.owner && flow.owner !== call) break;
      if (flow.notBeforeMs > nowMs) return flow.notBeforeMs;
      const answer = this.#ask(call, lane);
      if (typeof answer === 'object') {
        this.cancel(call, answer);
        continue;
      }
      if (answer === 'busy') break;
      if (typeof answer === 'number') {
        // A pause never becomes shorter, but an origin may become reachable at any time.
        if (askBreaker(call, lane) === 'go') flow.notBeforeMs = answer;
        return answer;
      }
      // The order matters: the owner keeps a flow without waiting calls alive.
      this.#grant(lane, call);
      this.#remove(call);
      lane.requeue(flow);
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
    const sleep = new AbortController();
    lane.sleep = sleep;
    const wake = (): void => {
      if (lane.sleep !== sleep) return;
      lane.wakesAtMs = Number.POSITIVE_INFINITY;
      this.#pump(lane);
    };
    // The sleep rejects when a new sleep replaces it, or when no call waits any more.
    const { signal } = sleep;
    this.#clock.sleep(atMs - this.#clock.monotonic(), { signal }).then(wake, () => {});
  }

  #laneOf({ plan }: Call): LaneQueue {
    const { origin } = plan;
    const name = plan.lane === 'upload' ? origin : plan.lane;
    const known = this.#lanes.get(name);
    if (known) return known;
    const breaker = this.#breakers.get(origin) ?? new CircuitBreaker(this.#clock, this.#random);
    this.#breakers.set(origin, breaker);
    const lane = new LaneQueue(plan, breaker);
    this.#lanes.set(name, lane);
    return lane;
  }

  #forget({ lane, origin, inFlight, flows }: LaneQueue): void {
    if (lane !== 'upload' || inFlight > 0) return;
    if (PRIORITY_CLASSES.every((priority) => flows[priority].size === 0))
      this.#lanes.delete(origin);
  }
}

function askBreaker(call: Call, { breaker }: LaneQueue): Admission {
  // An answer to an interaction is worth one try, whatever happened to earlier requests.
  if (call.priority === 'interaction' && !call.isRetry && !call.wasAdmitted) return 'go';
  return breaker.ask(call.key.route);
}

/** Ends the wait of a call. Does nothing if the call does not wait. */
function settle(call: Call, refusal: Refusal | undefined): void {
  call.expiry?.cancel();
  call.expiry = undefined;
  call.resolve?.(refusal);
  call.resolve = undefined;
}
