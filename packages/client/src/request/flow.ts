import type { Clock } from '@virgule/core/clock';
import type { Denial } from './bucket.js';
import { PRIORITY_CLASSES, type Call, type PriorityClass } from './call.js';
import type { Lane } from './pool.js';

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
  inFlight = 0;
  readonly queued: Record<PriorityClass, number> = { interaction: 0, awaited: 0, background: 0 };
  readonly ready = createFlows();
  readonly #flows = new Map<string, Flow>();

  constructor(lane: Lane, origin = '') {
    this.lane = lane;
    this.origin = origin;
  }

  get hasRoom(): boolean {
    return this.inFlight < MAX_IN_FLIGHT[this.lane];
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

  /** Moves a flow to the end of `at`, by default of those that may be tried, if it has a call whose turn it is. */
  place(flow: Flow, at = this.ready[flow.priority]): void {
    flow.place?.delete(flow);
    flow.place = headOf(flow) ? at : undefined;
    flow.place?.add(flow);
    flow.gate = undefined;
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

interface Gate {
  readonly waiting: Flows;
  untilMs: number | undefined;
  sleep: AbortController | undefined;
}

/** The flows that wait for a bucket or an origin, so that trying them again costs nothing meanwhile. */
export class Gates {
  readonly #clock: Clock;
  readonly #onDue: (key: object) => void;
  readonly #gates = new Map<object, Gate>();

  /** `onDue` is called when the time of a gate has come. */
  constructor(clock: Clock, onDue: (key: object) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  hold(flow: Flow, { gate: key, untilMs }: Denial): void {
    const known = this.#gates.get(key);
    const gate = known ?? { waiting: createFlows(), untilMs: undefined, sleep: undefined };
    if (!known) this.#gates.set(key, gate);
    flow.lane.place(flow, gate.waiting[flow.priority]);
    flow.gate = key;
    this.#sleep(key, gate, untilMs);
  }

  /** Returns the flow that is tried first when a gate opens. */
  first(key: object): Flow | undefined {
    const gate = this.#gates.get(key);
    return gate && firstOf(gate.waiting);
  }

  /** The gate stays closed until this time. */
  postpone({ gate: key, untilMs }: Denial): void {
    const gate = this.#gates.get(key);
    if (gate) this.#sleep(key, gate, untilMs);
  }

  forget(key: object): void {
    const gate = this.#gates.get(key);
    if (!gate || firstOf(gate.waiting)) return;
    gate.sleep?.abort();
    this.#gates.delete(key);
  }

  /** A sleep and not a timer: a call that waits keeps the process alive. */
  #sleep(key: object, gate: Gate, untilMs: number | undefined): void {
    if (gate.sleep && gate.untilMs === untilMs) return;
    gate.sleep?.abort();
    gate.untilMs = untilMs;
    gate.sleep = undefined;
    if (untilMs === undefined) return;
    const sleep = new AbortController();
    gate.sleep = sleep;
    this.#clock.sleep(untilMs - this.#clock.monotonic(), { signal: sleep.signal }).then(
      () => {
        if (gate.sleep !== sleep) return;
        gate.sleep = undefined;
        this.#onDue(key);
      },
      // It was ended for another one, or because nothing waits any more.
      () => {},
    );
  }
}
