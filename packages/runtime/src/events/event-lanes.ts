import { AsyncResource } from 'node:async_hooks';
import type { Timer } from '@virgule/core/clock';
import type { BotEnvironment } from '../command/environment.js';

/** Starts the handlers of one event. Returns a promise, which never rejects, if some handlers are still running. */
type EventTask = () => Promise<unknown> | undefined;

const MAX_WAITING = 1_000;
/** Number of waiting events in all channels from which the gateway holds events back. */
const MAX_TOTAL = 10_000;
/** Maximum time that the handlers of one event delay the next event of the channel, in milliseconds. */
const PATIENCE_MS = 60_000;

interface Lane {
  readonly id: string;
  readonly waiting: { readonly start: EventTask; readonly ended: () => void }[];
  /** Number of events dropped since the lane was last empty. */
  dropped: number;
  /** Handlers of the current event. The next event waits for them. */
  running: Promise<unknown>;
  patience: Timer | null;
}

/** Keeps the events of a channel in order: their handlers start after the handlers of the previous event have ended. */
export class EventLanes {
  readonly #env: BotEnvironment;
  /** Lanes by channel, only for channels in which handlers run. */
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #onRoom: (() => void)[] = [];

  constructor(env: BotEnvironment) {
    this.#env = env;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Returns a promise that resolves when there is room for more events; `undefined` if there is room now. */
  busy(): Promise<void> | undefined {
    if (this.#waiting < MAX_TOTAL) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** Starts the handlers of an event at its turn in the lane, or at once without a lane. The activity counts the event until they end. */
  run<Listeners, Delivery>(
    id: string | undefined,
    start: (listeners: Listeners, delivery: Delivery) => ReturnType<EventTask>,
    listeners: Listeners,
    delivery: Delivery,
  ): void {
    const { activity, log } = this.#env;
    const lane = id === undefined || this.#lanes.size === 0 ? undefined : this.#lanes.get(id);
    if (!lane) {
      const running = start(listeners, delivery);
      if (!running) return;
      activity.track(running);
      if (id === undefined) return;
      const begun: Lane = { id, waiting: [], dropped: 0, running, patience: null };
      this.#lanes.set(id, begun);
      this.#follow(begun, running);
    } else if (lane.waiting.length < MAX_WAITING) {
      // The handlers run in the async context of this event, not of the previous event.
      lane.waiting.push({
        start: AsyncResource.bind(() => start(listeners, delivery)),
        ended: activity.begin(),
      });
      this.#waiting += 1;
      this.#armPatience(lane);
    } else {
      lane.dropped += 1;
      if (lane.dropped > 1) return;
      const { id: channelId } = lane;
      log.error(
        { channelId, waiting: MAX_WAITING },
        `events of channel ${channelId} arrive faster than they are handled; dropping new ones`,
      );
    }
  }

  /** Drops all waiting events, at the end of the bot. */
  clear(): void {
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    for (const { patience } of lanes) patience?.cancel();
    for (const { waiting } of lanes) for (const { ended } of waiting) ended();
    this.#waiting = 0;
    this.#notifyRoom();
  }

  #follow(lane: Lane, running: Promise<unknown>): void {
    lane.running = running;
    void running.then(() => this.#next(lane, running));
  }

  /** Limits the wait of the first event in the queue. A handler has no limit while the queue is empty. */
  #armPatience(lane: Lane): void {
    const { clock, log } = this.#env;
    const { id: channelId, running } = lane;
    lane.patience ??= clock.setTimeout(() => {
      log.warn(
        { channelId, waiting: lane.waiting.length },
        `a handler delayed the events of channel ${channelId} for ${PATIENCE_MS / 1_000} s; continuing without it`,
      );
      this.#next(lane, running);
    }, PATIENCE_MS);
  }

  #next(lane: Lane, ended: Promise<unknown>): void {
    // The lane has continued without these handlers, or was cleared.
    if (lane.running !== ended || this.#lanes.get(lane.id) !== lane) return;
    lane.patience?.cancel();
    lane.patience = null;
    for (;;) {
      const next = lane.waiting.shift();
      if (!next) break;
      this.#waiting -= 1;
      this.#notifyRoom();
      const running = next.start();
      if (!running) {
        next.ended();
        continue;
      }
      void running.then(next.ended);
      this.#follow(lane, running);
      if (lane.waiting.length > 0) this.#armPatience(lane);
      return;
    }
    const { id: channelId, dropped } = lane;
    this.#lanes.delete(channelId);
    if (dropped > 0)
      this.#env.log.warn(
        { channelId, dropped },
        `dropped ${dropped} events of channel ${channelId}; the events in the queue are handled`,
      );
  }

  #notifyRoom(): void {
    if (this.#waiting >= MAX_TOTAL) return;
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const resolve of waiting) resolve();
  }
}
