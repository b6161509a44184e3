import { createFlow, headOf, unplace, type Channel, type Flow } from './flow.js';
import { LinkedList } from './linked-list.js';
import { PRIORITY_CLASSES, type PriorityClass } from './priority.js';
import type { Ticket } from './ticket.js';

interface ClassQueue {
  /** Calls that wait. */
  queued: number;
  /** Channels with a flow that may be tried, in the order of their turns. */
  readonly ring: LinkedList<Channel>;
  readonly channels: Map<string, Channel>;
  readonly flows: Map<string, Flow>;
}

/**
 * The calls that wait for the connections of one lane: classes in strict order, the channels of a
 * class in turns, the routes of a channel in turns, and the calls of a route in the order they came.
 */
export class LaneQueue {
  /** Requests of this lane in flight. */
  inFlight = 0;
  readonly maxInFlight: number;
  #queued = 0;
  readonly #classes: Readonly<Record<PriorityClass, ClassQueue>> = {
    interaction: createClassQueue(),
    awaited: createClassQueue(),
    background: createClassQueue(),
  };

  constructor(maxInFlight: number) {
    this.maxInFlight = maxInFlight;
  }

  get hasRoom(): boolean {
    return this.inFlight < this.maxInFlight;
  }

  get queued(): number {
    return this.#queued;
  }

  queuedOf(priority: PriorityClass): number {
    return this.#classes[priority].queued;
  }

  /** Returns whether a call waits whose turn is before a new call of this class. */
  waitsBefore(priority: PriorityClass): boolean {
    if (this.#queued === 0) return false;
    for (const each of PRIORITY_CLASSES) {
      if (this.#classes[each].ring.size > 0) return true;
      if (each === priority) return false;
    }
    return false;
  }

  flowOf(ticket: Ticket): Flow | undefined {
    const { flows } = this.#classes[ticket.priority];
    return flows.size === 0 ? undefined : flows.get(flowName(ticket));
  }

  openFlow(ticket: Ticket): Flow {
    const { channels, flows } = this.#classes[ticket.priority];
    const name = flowName(ticket);
    const known = flows.get(name);
    if (known) return known;
    const { major } = ticket.key;
    const channel = channels.get(major) ?? {
      name: major,
      ready: new LinkedList<Flow>(),
      flows: 0,
      place: undefined,
    };
    channel.flows += 1;
    channels.set(major, channel);
    const flow = createFlow(name, channel, ticket.priority);
    flows.set(name, flow);
    return flow;
  }

  /** One that was let through before goes in front: it is older than those who wait. */
  add(flow: Flow, ticket: Ticket): void {
    const { tickets } = flow;
    ticket.flow = flow;
    ticket.place = ticket.tries > 0 ? tickets.unshift(ticket) : tickets.push(ticket);
    this.#queued += 1;
    this.#classes[ticket.priority].queued += 1;
    if (!flow.place) this.ready(flow);
  }

  /** Takes a call out, wherever it is. */
  remove(ticket: Ticket): void {
    const { flow, place } = ticket;
    if (!flow || !place) return;
    flow.tickets.remove(place);
    ticket.place = undefined;
    this.#queued -= 1;
    this.#classes[ticket.priority].queued -= 1;
    if (headOf(flow)) return;
    unplace(flow);
    this.#forget(flow);
  }

  /** Lets the flow be tried (again), when it has a call whose turn it is. */
  ready(flow: Flow): void {
    unplace(flow);
    if (!headOf(flow)) {
      this.#forget(flow);
      return;
    }
    const { channel } = flow;
    flow.place = channel.ready.push(flow);
    channel.place ??= this.#classes[flow.priority].ring.push(channel);
  }

  /** Whose turn it is; the channel goes to the end of the ring, and the flow has to be placed again. */
  next(): Flow | undefined {
    if (this.#queued === 0) return undefined;
    for (const priority of PRIORITY_CLASSES) {
      const { ring } = this.#classes[priority];
      const channel = ring.shift();
      if (!channel) continue;
      channel.place = undefined;
      const flow = channel.ready.shift();
      if (channel.ready.size > 0) channel.place = ring.push(channel);
      if (!flow) continue;
      flow.place = undefined;
      return flow;
    }
    return undefined;
  }

  #forget(flow: Flow): void {
    if (flow.tickets.size > 0 || flow.owner) return;
    const { flows, channels } = this.#classes[flow.priority];
    if (!flows.delete(flow.name)) return;
    flow.channel.flows -= 1;
    if (flow.channel.flows === 0) channels.delete(flow.channel.name);
  }
}

function createClassQueue(): ClassQueue {
  return { queued: 0, ring: new LinkedList(), channels: new Map(), flows: new Map() };
}

/** The calls of an interaction are one flow; elsewhere each route of a channel is. */
function flowName({ key: { route, major, isBrief } }: Ticket): string {
  return isBrief ? major : `${route} ${major}`;
}
