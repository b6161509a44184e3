import type { GatewayEvent } from './port.js';

interface Waiting {
  readonly event: GatewayEvent;
  /** Which one came first. */
  readonly order: number;
}

/** How many places are left behind before they are removed. */
const MAX_LEFT = 1_000;

/** First in, first out. Removing the first of many from an array moves the others, and a Set passes the places of those that are gone. */
class Line {
  #items: (Waiting | undefined)[] = [];
  #start = 0;

  get first(): Waiting | undefined {
    return this.#items[this.#start];
  }

  push(waiting: Waiting): void {
    this.#items.push(waiting);
  }

  shift(): void {
    this.#items[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < MAX_LEFT || this.#start * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#start);
    this.#start = 0;
  }
}

/** Events in the order they came. Each operation takes the same time however many wait. */
export class WaitingEvents {
  #messages = new Line();
  #others = new Line();
  #order = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(event: GatewayEvent): void {
    this.#size += 1;
    this.#order += 1;
    const line = event.t.startsWith('MESSAGE_') ? this.#messages : this.#others;
    line.push({ event, order: this.#order });
  }

  /** Removes the first event, and returns it. */
  take(): GatewayEvent | undefined {
    const message = this.#messages.first?.order ?? Number.POSITIVE_INFINITY;
    const other = this.#others.first?.order ?? Number.POSITIVE_INFINITY;
    return this.#shift(message < other ? this.#messages : this.#others);
  }

  /** Removes the oldest message; if none waits, the first event. */
  drop(): void {
    this.#shift(this.#messages.first ? this.#messages : this.#others);
  }

  clear(): void {
    this.#messages = new Line();
    this.#others = new Line();
    this.#size = 0;
  }

  #shift(line: Line): GatewayEvent | undefined {
    const { first } = line;
    if (!first) return undefined;
    this.#size -= 1;
    line.shift();
    return first.event;
  }
}
