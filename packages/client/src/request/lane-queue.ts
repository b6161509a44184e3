import type { Call, PriorityClass } from './call.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { CONNECTIONS, type Lane } from './pool.js';

/** Waiting calls of one class, route and channel, in order. All calls of an interaction share one flow. */
export interface Flow {
  readonly name: string;
  readonly lane: LaneQueue;
  readonly priority: PriorityClass;
  readonly calls: Call[];
  /** Call that has to end before the next call of this flow can begin. */
  owner: Call | undefined;
  /** End of the pause of the flow, by `Clock.monotonic()`: the flow is not checked before. */
  notBeforeMs: number;
}

/** Calls of a lane, or uploads to one origin: they share connections. */
export class LaneQueue {
  readonly lane: Lane;
  readonly origin: string;
  readonly breaker: CircuitBreaker;
  inFlight = 0;
  /** Number of requests that may be in flight. Answers to interactions never wait for each other. */
  places: number;
  readonly queued: Record<PriorityClass, number> = { interaction: 0, awaited: 0, background: 0 };
  /** Flows of each class by name, in the order of their turns. */
  readonly flows: Readonly<Record<PriorityClass, Map<string, Flow>>> = {
    interaction: new Map(),
    awaited: new Map(),
    background: new Map(),
  };
  /** Cancels the wait until a flow can go. */
  sleep: AbortController | undefined;
  wakesAtMs = Number.POSITIVE_INFINITY;

  constructor({ lane, origin }: Call['plan'], breaker: CircuitBreaker) {
    this.lane = lane;
    this.origin = origin;
    this.breaker = breaker;
    this.places = placesOf(lane);
  }

  /** True while a connection is free for another request. */
  get hasRoom(): boolean {
    return this.inFlight < this.places;
  }

  /** Ends a request. `isFull` reports that this machine could open no connection, so fewer requests are sent at a time. */
  leave(isFull: boolean): void {
    this.inFlight -= 1;
    const most = placesOf(this.lane);
    if (this.inFlight === 0) this.places = most;
    else this.places = isFull ? this.inFlight : Math.min(most, this.places + 1);
  }

  /** True while no call waits. */
  get isEmpty(): boolean {
    const { interaction, awaited, background } = this.queued;
    return interaction + awaited + background === 0;
  }

  /** Returns the flow of a call; `undefined` if it does not exist. */
  find(call: Call): Flow | undefined {
    const flows = this.flows[call.priority];
    // Without flows, no name has to be built.
    return flows.size === 0 ? undefined : flows.get(this.#nameOf(call));
  }

  /** Returns the flow of a call, and creates it if necessary. */
  open(call: Call): Flow {
    const { priority } = call;
    const known = this.find(call);
    if (known) return known;
    const name = this.#nameOf(call);
    const flow = { name, lane: this, priority, calls: [], owner: undefined, notBeforeMs: 0 };
    this.flows[priority].set(name, flow);
    return flow;
  }

  /** Moves a flow to the end of its class, or removes a flow without waiting calls and owner. */
  requeue(flow: Flow): void {
    const flows = this.flows[flow.priority];
    flows.delete(flow.name);
    if (flow.calls.length > 0 || flow.owner) flows.set(flow.name, flow);
  }

  #nameOf({ plan: { endpoint, major } }: Call): string {
    if (this.lane === 'interaction') return major;
    // Opening an ingress and closing one have an order too.
    return `${endpoint.startsWith('voice.') ? 'voice' : endpoint} ${major}`;
  }
}

const placesOf = (lane: Lane): number =>
  lane === 'interaction' ? Number.POSITIVE_INFINITY : CONNECTIONS[lane];
