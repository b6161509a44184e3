import type { GatewayEvent } from './port.js';

/** How many places of events that are gone are left, besides as many as wait, before they are removed. */
const MAX_LEFT = 1_000;

/**
 * Events in the order they came. Each operation takes the same time however many wait: removing the first of many from
 * an array moves the others, and a Set passes the places of those that are gone.
 */
export class WaitingEvents {
  /** `undefined` where an event is gone. */
  #places: (GatewayEvent | undefined)[] = [];
  /** No event is before this place. */
  #first = 0;
  /** No message is before this place. */
  #firstMessage = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(event: GatewayEvent): void {
    this.#size += 1;
    this.#places.push(event);
  }

  /** Removes the first event, and returns it. */
  take(): GatewayEvent | undefined {
    this.#first = this.#find(this.#first, () => true);
    return this.#remove(this.#first);
  }

  /** Removes the oldest message; if none waits, the first event. */
  drop(): void {
    const from = Math.max(this.#first, this.#firstMessage);
    this.#firstMessage = this.#find(from, ({ t }) => t.startsWith('MESSAGE_'));
    if (!this.#remove(this.#firstMessage)) this.take();
  }

  clear(): void {
    this.#places = [];
    this.#first = 0;
    this.#firstMessage = 0;
    this.#size = 0;
  }

  #find(from: number, isWanted: (event: GatewayEvent) => boolean): number {
    let place = from;
    for (; place < this.#places.length; place += 1) {
      const event = this.#places[place];
      if (event && isWanted(event)) break;
    }
    return place;
  }

  #remove(place: number): GatewayEvent | undefined {
    const event = this.#places[place];
    if (!event) return undefined;
    this.#places[place] = undefined;
    this.#size -= 1;
    if (this.#places.length > 2 * this.#size + MAX_LEFT) {
      this.#places = this.#places.filter((each) => each !== undefined);
      this.#first = 0;
      this.#firstMessage = 0;
    }
    return event;
  }
}
