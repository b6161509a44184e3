import { PRIORITY_CLASSES, type Call, type PriorityClass } from './call.js';
import { CONNECTIONS, type Lane } from './pool.js';

/** Flows of each class, in the order of their turns. */
type Flows = Readonly<Record<PriorityClass, Set<Flow>>>;

/** The waiting calls of one class, route and channel, in order; of an interaction, all its calls. */
export interface Flow {
  readonly name: string;
  readonly lane: LaneQueue;
  readonly priority: PriorityClass;
  readonly calls: Call[];
  /** The call that has to end before the next one of this flow may begin. */
  owner: Call | undefined;
  /** Where it is: among those that may be tried, or those that `gate` holds back. */
  place: Set<Flow> | undefined;
  gate: Gate | undefined;
}

/** The calls that wait for the connections of one lane. */
export class LaneQueue {
  readonly lane: Lane;
  /** The origin of a lane of uploads, otherwise empty. */
  readonly origin: string;
  inFlight = 0;
  readonly queued: Record<PriorityClass, number> = { interaction: 0, awaited: 0, background: 0 };
  readonly ready = createFlows();
  readonly #flows = new Map<string, Flow>();

  constructor(lane: Lane, origin = '') {
    this.lane = lane;
    this.origin = origin;
  }

  /** Whether a connection is free for another request. Answers to interactions never wait here for each other. */
  get hasRoom(): boolean {
    return this.lane === 'interaction' || this.inFlight < CONNECTIONS[this.lane];
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.#flows.size === 0;
  }

  /** Whether a call waits that comes before a new call of this class. */
  isAnyReady(priority: PriorityClass): boolean {
    for (const each of PRIORITY_CLASSES) {
      if (this.ready[each].size > 0) return true;
      if (each === priority) break;
    }
    return false;
  }

  /** Returns the flow that a call belongs to, if it exists. */
  find(call: Call): Flow | undefined {
    // No name is put together when there is none to find.
    return this.#flows.size === 0 ? undefined : this.#flows.get(flowName(call));
  }

  /** Returns the flow that a call belongs to. */
  open(call: Call): Flow {
    const name = flowName(call);
    const known = this.#flows.get(name);
    if (known) return known;
    const { priority } = call;
    const nowhere = { owner: undefined, place: undefined, gate: undefined };
    const flow: Flow = { name, lane: this, priority, calls: [], ...nowhere };
    this.#flows.set(name, flow);
    return flow;
  }

  /** Moves a flow to the end of those that may be tried, or wait at `gate`, if it has a call whose turn it is. */
  place(flow: Flow, gate?: Gate): void {
    const flows = gate ? gate.waiting : this.ready;
    flow.place?.delete(flow);
    flow.place = headOf(flow) ? flows[flow.priority] : undefined;
    flow.place?.add(flow);
    flow.gate = gate;
    if (flow.calls.length === 0 && !flow.owner) this.#flows.delete(flow.name);
  }
}

/** Returns the call of a flow whose turn it is, if there is one. */
export function headOf({ calls, owner }: Flow): Call | undefined {
  const first = calls[0];
  return owner === undefined || owner === first ? first : undefined;
}

/** Returns the first flow of the first class that has any. */
export function firstOf(flows: Flows): Flow | undefined {
  for (const priority of PRIORITY_CLASSES) {
    // Every request passes here, and mostly nothing waits: no iterator is made for an empty set.
    if (flows[priority].size === 0) continue;
    const [first] = flows[priority];
    return first;
  }
  return undefined;
}

function createFlows(): Flows {
  return { interaction: new Set(), awaited: new Set(), background: new Set() };
}

function flowName({ priority, key: { route, major, isBrief } }: Call): string {
  return isBrief ? major : `${priority} ${route} ${major}`;
}

/** A bucket or an origin, and the flows that wait for it, so that trying them again costs nothing meanwhile. */
export interface Gate {
  readonly key: object;
  readonly waiting: Flows;
  /** When it opens; `undefined`: when another call has ended. */
  untilMs: number | undefined;
  sleep: AbortController | undefined;
}

export function createGate(key: object): Gate {
  return { key, waiting: createFlows(), untilMs: undefined, sleep: undefined };
}
