import type { Clock, Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';

/** Starts the handlers of one event. Gives what settles when they have ended, and nothing when they have already; it never rejects. */
export type EventTask = () => Promise<unknown> | undefined;

export interface EventLanesOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** How many events of one channel wait at most. */
const WAITING_MAX = 1_000;
/** How many events of all channels wait before the gateway is asked to hold them back. */
const TOTAL_MAX = 10_000;
/** How long the handlers of one event hold up the next one of their channel, in milliseconds. */
const PATIENCE_MS = 60_000;

interface Lane {
  readonly waiting: { readonly start: EventTask; readonly drop: () => void }[];
  /** Dropped since the lane was last empty. */
  dropped: number;
  /** What the next one waits for. */
  running: Promise<unknown> | null;
  patience: Timer | null;
}

/**
 * Keeps the events of a channel in order: the handlers of one start when those of the one before have
 * ended. Channels do not wait for each other, and events that belong to none wait for nobody.
 */
export class EventLanes {
  readonly #options: EventLanesOptions;
  /** Only the channels in which something runs. */
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #onRoom: (() => void)[] = [];

  constructor(options: EventLanesOptions) {
    this.#options = options;
  }

  /** Settles when there is room for more events; nothing when there is. */
  busy(): Promise<void> | undefined {
    if (this.#waiting < TOTAL_MAX) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** Whether an event of this channel may start at once. */
  isFree(channelId: string | undefined): boolean {
    return channelId === undefined || this.#lanes.size === 0 || !this.#lanes.has(channelId);
  }

  /** Has the next event of a free channel wait until `running` settles. */
  hold(channelId: string | undefined, running: Promise<unknown>): void {
    if (channelId === undefined) return;
    const lane: Lane = { waiting: [], dropped: 0, running: null, patience: null };
    this.#lanes.set(channelId, lane);
    this.#follow(channelId, lane, running);
  }

  /** Starts an event of a channel that is not free when it is its turn; `drop` is called when it never will be. */
  wait(channelId: string | undefined, start: EventTask, drop: () => void): void {
    const lane = this.#lanes.get(channelId ?? '');
    if (!lane) {
      void start();
      return;
    }
    if (lane.waiting.length < WAITING_MAX) {
      lane.waiting.push({ start, drop });
      this.#waiting += 1;
      this.#armPatience(channelId ?? '', lane);
      return;
    }
    drop();
    lane.dropped += 1;
    if (lane.dropped > 1) return;
    this.#options.log.error(
      { channelId, waiting: WAITING_MAX },
      `Events of channel ${channelId} come faster than they are handled: new ones are dropped from now on.`,
    );
  }

  /** Drops all that waits: the bot ends. */
  clear(): void {
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    for (const { patience } of lanes) patience?.cancel();
    for (const { waiting } of lanes) for (const { drop } of waiting) drop();
    this.#waiting = 0;
    this.#tellRoom();
  }

  #follow(channelId: string, lane: Lane, running: Promise<unknown>): void {
    lane.running = running;
    void running.then(() => this.#next(channelId, lane, running));
  }

  /** The first one that waits has a limit to its patience; while nobody waits a handler may take its time. */
  #armPatience(channelId: string, lane: Lane): void {
    const { clock, log } = this.#options;
    const { running } = lane;
    lane.patience ??= clock.setTimeout(() => {
      log.warn(
        { channelId, waiting: lane.waiting.length },
        `A handler has held up the events of channel ${channelId} for ${PATIENCE_MS / 1_000} s: they go on without it.`,
      );
      this.#next(channelId, lane, running);
    }, PATIENCE_MS);
  }

  #next(channelId: string, lane: Lane, ended: Promise<unknown> | null): void {
    // It went on without this one, or was cleared away.
    if (lane.running !== ended || this.#lanes.get(channelId) !== lane) return;
    lane.patience?.cancel();
    lane.patience = null;
    for (;;) {
      const next = lane.waiting.shift();
      if (!next) break;
      this.#waiting -= 1;
      this.#tellRoom();
      const running = next.start();
      if (!running) continue;
      this.#follow(channelId, lane, running);
      if (lane.waiting.length > 0) this.#armPatience(channelId, lane);
      return;
    }
    this.#lanes.delete(channelId);
    if (lane.dropped > 0) this.#tellDropped(channelId, lane);
  }

  #tellDropped(channelId: string, { dropped }: Lane): void {
    this.#options.log.warn(
      { channelId, dropped },
      `${dropped} events of channel ${channelId} were dropped; those that waited are handled.`,
    );
  }

  #tellRoom(): void {
    if (this.#waiting >= TOTAL_MAX) return;
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const tell of waiting) tell();
  }
}
