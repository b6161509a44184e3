import { PRIORITY_CLASSES, type Call, type PriorityClass } from './call.js';
import { CONNECTIONS, type Lane } from './pool.js';

/** The calls of one class, route and channel that wait, in order; of an interaction, all its calls. */
export interface Flow {
  readonly name: string;
  readonly lane: LaneQueue;
  readonly priority: PriorityClass;
  readonly calls: Call[];
  /** The call that has to end before the next one of this flow may begin. */
  owner: Call | undefined;
  /** When the pause ends that holds it back: until then it is not looked at. */
  notBeforeMs: number;
}

/** The calls that wait for the connections of one lane. */
export class LaneQueue {
  readonly lane: Lane;
  /** The origin of a lane of uploads, otherwise empty. */
  readonly origin: string;
  inFlight = 0;
  /** How many requests go at once. Answers to interactions never wait here for each other. */
  places: number;
  readonly queued: Record<PriorityClass, number> = { interaction: 0, awaited: 0, background: 0 };
  /** By name, in the order of their turns. */
  readonly flows: Readonly<Record<PriorityClass, Map<string, Flow>>> = {
    interaction: new Map(),
    awaited: new Map(),
    background: new Map(),
  };
  /** Ends the wait for the next time at which a flow may go. */
  sleep: AbortController | undefined;
  wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(lane: Lane, origin = '') {
    this.lane = lane;
    this.origin = origin;
    this.places = placesOf(lane);
  }

  /** Whether a connection is free for another request. */
  get hasRoom(): boolean {
    return this.inFlight < this.places;
  }

  /** A request has ended; `isFull`: this machine could open no connection for it, so it waits for those there are. */
  leave(isFull: boolean): void {
    this.inFlight -= 1;
    const most = placesOf(this.lane);
    if (this.inFlight === 0) this.places = most;
    else this.places = isFull ? this.inFlight : Math.min(most, this.places + 1);
  }

  /** Whether no call waits. */
  get isEmpty(): boolean {
    const { interaction, awaited, background } = this.queued;
    return interaction + awaited + background === 0;
  }

  get isIdle(): boolean {
    return (
      this.inFlight === 0 && PRIORITY_CLASSES.every((priority) => this.flows[priority].size === 0)
    );
  }

  /** Returns the flow that a call belongs to, if it exists. */
  find(call: Call): Flow | undefined {
    const flows = this.flows[call.priority];
    // No name is put together when there is none to find.
    return flows.size === 0 ? undefined : flows.get(this.#nameOf(call));
  }

  /** Returns the flow that a call belongs to. */
  open(call: Call): Flow {
    const { priority } = call;
    const name = this.#nameOf(call);
    const known = this.flows[priority].get(name);
    if (known) return known;
    const nothing = { owner: undefined, notBeforeMs: 0 };
    const flow: Flow = { name, lane: this, priority, calls: [], ...nothing };
    this.flows[priority].set(name, flow);
    return flow;
  }

  /** Moves a flow to the end of its class, or forgets it when it has nothing to wait for. */
  requeue(flow: Flow): void {
    const flows = this.flows[flow.priority];
    flows.delete(flow.name);
    if (flow.calls.length > 0 || flow.owner) flows.set(flow.name, flow);
  }

  #nameOf({ plan: { endpoint, major } }: Call): string {
    return this.lane === 'interaction' ? major : `${endpoint} ${major}`;
  }
}

function placesOf(lane: Lane): number {
  return lane === 'interaction' ? Number.POSITIVE_INFINITY : CONNECTIONS[lane];
}

/** Returns the call of a flow whose turn it is, if there is one. */
export function headOf({ calls, owner }: Flow): Call | undefined {
  const first = calls[0];
  return owner === undefined || owner === first ? first : undefined;
}
