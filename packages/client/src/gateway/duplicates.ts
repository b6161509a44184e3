import { isRecord } from '@virgule/core/objects';
import { RecentIds } from '@virgule/core/collections';
import type { GatewayEvent } from './port.js';

/** Which of two sockets an event came from, while both are open. */
export type OverlapSide = 'old' | 'new';

const REMEMBERED_COMMANDS = 10_000;
const REMEMBERED_MESSAGES = 10_000;

/** How many different events of an overlap are compared; those beyond are let through. */
const COMPARED_MAX = 10_000;

export interface DuplicatesOptions {
  /** Whether new messages can come again at any time: those that are read back can. */
  readonly remembersMessages: boolean;
}

/**
 * Finds events that came before. Commands are known by their id, however much later they come again;
 * new messages too, as long as anything can bring them twice. Other events have no id: of them, one
 * that comes over both sockets of an overlap is found by its text.
 */
export class Duplicates {
  readonly #options: DuplicatesOptions;
  readonly #commands = new RecentIds(REMEMBERED_COMMANDS);
  #messages: RecentIds | undefined;
  /** By text: how many more came over the old socket than over the new one. */
  #ahead: Map<string, number> | undefined;

  constructor(options: DuplicatesOptions) {
    this.#options = options;
    this.#rememberMessages(options.remembersMessages);
  }

  /** From now on two sockets deliver, until `endOverlap`. */
  beginOverlap(): void {
    this.#ahead = new Map();
    this.#rememberMessages(true);
  }

  endOverlap(): void {
    this.#ahead = undefined;
    this.#rememberMessages(this.#options.remembersMessages);
  }

  /** Remembers an event; true when it is a repeat. */
  isRepeat(event: GatewayEvent, side: OverlapSide): boolean {
    // First, since nearly all events are messages, and nearly always nothing can bring them twice.
    if (event.t === 'MESSAGE_CREATE') return isKnown(this.#messages, event, 'id');
    if (event.t === 'APPLICATION_COMMAND') return isKnown(this.#commands, event, 'interactionId');
    return this.#ahead ? this.#cameOverTheOther(this.#ahead, event, side) : false;
  }

  #rememberMessages(remembers: boolean): void {
    if (!remembers) this.#messages = undefined;
    else this.#messages ??= new RecentIds(REMEMBERED_MESSAGES);
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

/** `key` names the field of the payload with the id that stays the same. */
function isKnown(ids: RecentIds | undefined, { d }: GatewayEvent, key: string): boolean {
  if (!ids || !isRecord(d)) return false;
  const id = d[key];
  return typeof id === 'string' && !ids.add(id);
}
