import type { Lane } from './pool.js';
import { PRIORITY_CLASSES, type PriorityClass } from './request-plan.js';
import type { Ticket } from './ticket.js';

/** Flows of each class, in the order of their turns. */
export type Flows = Readonly<Record<PriorityClass, Set<Flow>>>;

/** The waiting calls of one class, route and channel, in order; of an interaction, all its calls. */
export interface Flow {
  readonly name: string;
  readonly lane: LaneQueue;
  readonly priority: PriorityClass;
  readonly tickets: Ticket[];
  /** The call that has to end before the next one of this flow may begin. */
  owner: Ticket | undefined;
  /** Where it is: among those that may be tried, or those that `gate` holds back. */
  place: Set<Flow> | undefined;
  gate: object | undefined;
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

/** The calls that wait for the connections of one lane. */
export class LaneQueue {
  readonly lane: Lane;
  /** The origin of a lane of uploads, otherwise empty. */
  readonly origin: string;
  /** Requests in flight. */
  inFlight = 0;
  readonly queued: Record<PriorityClass, number> = { interaction: 0, awaited: 0, background: 0 };
  /** Flows that may be tried. */
  readonly ready = createFlows();
  readonly #flows = new Map<string, Flow>();
  readonly #maxInFlight: number;

  constructor(lane: Lane, origin = '') {
    this.lane = lane;
    this.origin = origin;
    this.#maxInFlight = MAX_IN_FLIGHT[lane];
  }

  get hasRoom(): boolean {
    return this.inFlight < this.#maxInFlight;
  }

  /** Whether nothing waits or is in flight. */
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
  find(ticket: Ticket): Flow | undefined {
    // No name is put together when there is none to find.
    return this.#flows.size === 0 ? undefined : this.#flows.get(flowName(ticket));
  }

  /** Returns the flow that a call belongs to. */
  open(ticket: Ticket): Flow {
    const name = flowName(ticket);
    const known = this.#flows.get(name);
    if (known) return known;
    const { priority } = ticket;
    const flow: Flow = {
      name,
      lane: this,
      priority,
      tickets: [],
      owner: undefined,
      place: undefined,
      gate: undefined,
    };
    this.#flows.set(name, flow);
    return flow;
  }

  /** Moves a flow to the end of `at`, by default of those that may be tried, if it has a call whose turn it is. */
  place(flow: Flow, at = this.ready[flow.priority]): void {
    flow.place?.delete(flow);
    flow.place = headOf(flow) ? at : undefined;
    flow.place?.add(flow);
    flow.gate = undefined;
    if (flow.tickets.length === 0 && !flow.owner) this.#flows.delete(flow.name);
  }
}

/** Returns the call of a flow whose turn it is, if there is one. */
export function headOf({ tickets, owner }: Flow): Ticket | undefined {
  const first = tickets[0];
  return owner === undefined || owner === first ? first : undefined;
}

export function createFlows(): Flows {
  return { interaction: new Set(), awaited: new Set(), background: new Set() };
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

function flowName({ priority, key: { route, major, isBrief } }: Ticket): string {
  return isBrief ? major : `${priority} ${route} ${major}`;
}
