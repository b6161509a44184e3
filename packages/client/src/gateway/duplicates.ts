import { RecentIds } from './recent-ids.js';
import type { GatewayEvent } from './port.js';

/** Which of two sockets an event came from, while both are open. */
export type OverlapSide = 'old' | 'new';

const REMEMBERED_COMMANDS = 10_000;
const REMEMBERED_MESSAGES = 10_000;

/** How many different events of an overlap are compared; those beyond are let through. */
const COMPARED_MAX = 10_000;

/** The key that names a thing for good, in the payload of the events that tell of it once only. */
const ID_KEYS: ReadonlyMap<string, string> = new Map([
  ['APPLICATION_COMMAND', 'interactionId'],
  ['MESSAGE_CREATE', 'id'],
]);

/**
 * Finds events that came before. Commands and new messages are known by their id, however much later
 * they come again. Other events have none: of them, one that comes over both sockets of an overlap is
 * found by its text.
 */
export class Duplicates {
  readonly #commands = new RecentIds(REMEMBERED_COMMANDS);
  readonly #messages = new RecentIds(REMEMBERED_MESSAGES);
  /** By text: how many more came over the old socket than over the new one. */
  #ahead: Map<string, number> | undefined;

  /** From now on two sockets deliver, until `endOverlap`. */
  beginOverlap(): void {
    this.#ahead = new Map();
  }

  endOverlap(): void {
    this.#ahead = undefined;
  }

  /** Remembers an event; true when it is a repeat. */
  isRepeat(event: GatewayEvent, side: OverlapSide): boolean {
    const id = idOf(event);
    if (id !== undefined) {
      return !(event.t === 'APPLICATION_COMMAND' ? this.#commands : this.#messages).add(id);
    }
    return this.#ahead ? this.#cameOverTheOther(this.#ahead, event, side) : false;
  }

  #cameOverTheOther(
    ahead: Map<string, number>,
    { t, d }: GatewayEvent,
    side: OverlapSide,
  ): boolean {
    const text = `${t} ${JSON.stringify(d)}`;
    const before = ahead.get(text);
    if (before === undefined && ahead.size >= COMPARED_MAX) return false;
    const step = side === 'old' ? 1 : -1;
    ahead.set(text, (before ?? 0) + step);
    return (before ?? 0) * step < 0;
  }
}

function idOf({ t, d }: GatewayEvent): string | undefined {
  const key = ID_KEYS.get(t);
  if (key === undefined || typeof d !== 'object' || d === null) return undefined;
  const id: unknown = (d as Readonly<Record<string, unknown>>)[key];
  return typeof id === 'string' ? id : undefined;
}
