import type { GatewayEvent } from './port.js';

/** Maximum number of empty places above the number of waiting events, before the empty places are removed. */
const MAX_LEFT = 1_000;

/** FIFO queue of events in constant time, unlike `Array.shift`, and the iteration of a Set over deleted entries. */
export class WaitingEvents {
  /** Waiting events in order; `undefined` for a removed event. */
  #places: (GatewayEvent | undefined)[] = [];
  /** Index before which there is no event. */
  #first = 0;
  /** Index before which there is no message. */
  #firstMessage = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(event: GatewayEvent): void {
    this.#size += 1;
    this.#places.push(event);
  }

  /** Removes and returns the first event. */
  take(): GatewayEvent | undefined {
    this.#first = this.#find(this.#first, () => true);
    return this.#remove(this.#first);
  }

  /** Removes the oldest message, or the first event if no message waits. */
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
