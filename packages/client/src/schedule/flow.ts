import { LinkedList, type ListNode } from './linked-list.js';
import type { PriorityClass } from './priority.js';
import type { Ticket } from './ticket.js';

/** The waiting calls of one class, route and channel, in order. */
export interface Flow {
  readonly name: string;
  readonly channel: Channel;
  readonly priority: PriorityClass;
  readonly tickets: LinkedList<Ticket>;
  /** The call that has to end before the next one of this flow may begin. */
  owner: Ticket | undefined;
  /** Where the flow is: among those of its channel that may be tried, or at a gate. */
  place: ListNode<Flow> | undefined;
  /** What holds it back, when it is at a gate. */
  gate: object | undefined;
}

/** The flows of one channel (or server, interaction) that may be tried. */
export interface Channel {
  readonly name: string;
  readonly ready: LinkedList<Flow>;
  /** How many flows it has in all. */
  flows: number;
  place: ListNode<Channel> | undefined;
}

export function createFlow(name: string, channel: Channel, priority: PriorityClass): Flow {
  return {
    name,
    channel,
    priority,
    tickets: new LinkedList(),
    owner: undefined,
    place: undefined,
    gate: undefined,
  };
}

/** The call whose turn it is, if any may go. */
export function headOf({ tickets, owner }: Flow): Ticket | undefined {
  const { first } = tickets;
  return owner === undefined || owner === first ? first : undefined;
}

/** Takes the flow from where it is. */
export function unplace(flow: Flow): void {
  const { place, channel } = flow;
  if (!place) return;
  place.list?.remove(place);
  flow.place = undefined;
  flow.gate = undefined;
  if (channel.ready.size > 0 || !channel.place) return;
  channel.place.list?.remove(channel.place);
  channel.place = undefined;
}
