import { createHash } from 'node:crypto';
import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock } from '@virgule/core/clock';
import { idOf } from '../bus/entry.js';

/** Time that equal events count as a series, in milliseconds. */
const SERIES_MS = 10_000;

/**
 * Names events without an id, so that two gateways use the same name for the same event: a hash of its contents, and its
 * number among equal events of the last seconds. A reaction that is added, removed and added again is three events.
 */
export class Twins {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #series = new Map<string, number>();
  #earlier = new Map<string, number>();
  #turnsAtMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns the name of an event; `undefined` for an event with an id. */
  nameOf({ t, d }: Pick<GatewayEvent, 't' | 'd'>): string | undefined {
    if (idOf({ t, d }) !== undefined) return undefined;
    const nowMs = this.#clock.monotonic();
    if (nowMs >= this.#turnsAtMs) {
      this.#earlier = nowMs - this.#turnsAtMs > SERIES_MS ? new Map() : this.#series;
      this.#series = new Map();
      this.#turnsAtMs = nowMs + SERIES_MS;
    }
    const hash = createHash('sha1')
      .update(JSON.stringify([t, d]))
      .digest('base64');
    const count = (this.#series.get(hash) ?? this.#earlier.get(hash) ?? 0) + 1;
    this.#series.set(hash, count);
    return `${hash}:${count}`;
  }
}
