import { AsyncResource } from 'node:async_hooks';
import type { Timer } from '@virgule/core/clock';
import type { BotEnvironment } from '../command/environment.js';
import type { Delivery } from './event-listener.js';
import type { HandlerRun } from './handler-run.js';

/** Starts the handlers of one event. Returns a promise, which never rejects, if some handlers are still running. */
type EventTask = () => Promise<unknown> | undefined;

const MAX_WAITING = 1_000;
/** Number of waiting events in all channels from which the gateway holds events back. */
const MAX_TOTAL = 10_000;
/** Maximum number of bursts, which alone must not make the gateway or a queue hold events back. The oldest one ends for another. */
const MAX_BURSTS = 4_000;
/** Maximum time that the handlers of one event delay the next event of the channel, in milliseconds. */
const PATIENCE_MS = 60_000;
/** Maximum duration of a burst, as a multiple of its quiet time. */
const MAX_BURST = 10;
/** Maximum number of replaced events that a run gets. */
const MAX_SKIPPED = 100;
const NO_HANDLERS = Promise.resolve();

/** An event that waits, or several events that one run handles. */
interface Turn {
  readonly start: EventTask;
  readonly ended: () => void;
  /** Run of the newest event, in a lane whose events replace each other. */
  readonly run?: HandlerRun;
  /** Events of such a run. `end` ends an event for a queue, which until then may deliver the event again to another process. */
  readonly events?: { readonly data: unknown; readonly end: () => void }[];
  /** Latest end of the burst of such events: a reading of `Clock.monotonic()`. */
  readonly latestMs?: number;
}

/** The events of one channel, or of one key of a handler. */
class Lane {
  readonly id: string;
  /** Channel of its first event, for the log. */
  readonly channelId: string;
  readonly waiting: Turn[] = [];
  /** Number of events dropped since the lane was last empty. */
  dropped = 0;
  /** Handlers of the current event. The next event waits for them. */
  running: Promise<unknown>;
  /** Turn of the current handlers, if they waited for it; `undefined` during a burst. */
  current: Turn | undefined;
  /** End of the burst if no event arrives: a reading of `Clock.monotonic()`. */
  quietAtMs = 0;
  /** Timer that continues with the next event: at the end of the burst, or if the handlers take too long. */
  timer: Timer | null = null;

  constructor(id: string, running: Promise<unknown>, { channelId = id }: Delivery) {
    this.id = id;
    this.channelId = channelId;
    this.running = running;
  }
}

/** Keeps the events of a channel in order: their handlers start after the handlers of the previous event have ended. */
export class EventLanes {
  readonly #env: BotEnvironment;
  /** Lanes by channel, only for channels in which handlers run. */
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that wait for the end of a burst while nothing runs, oldest first. */
  readonly #bursts = new Set<Lane>();
  /** Number of waiting events in all lanes. */
  waiting = 0;
  #onRoom: (() => void)[] = [];

  constructor(env: BotEnvironment) {
    this.#env = env;
  }

  /** Returns a promise that resolves when there is room for more events; `undefined` if there is room now. */
  busy(): Promise<void> | undefined {
    if (this.waiting < MAX_TOTAL) return undefined;
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  /** Starts the handlers of an event at its turn in the lane, or at once without a lane. The activity counts the event until they end. */
  run<Listeners>(
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
      this.#follow(this.#open(id, running, delivery), running);
    } else if (lane.waiting.length < MAX_WAITING) {
      // The handlers run in the async context of this event, not of the previous event. `AsyncResource.bind` costs 10 µs.
      const scope = new AsyncResource('virgule.event');
      lane.waiting.push({
        start: () => scope.runInAsyncScope(start, undefined, listeners, delivery),
        ended: activity.begin(),
      });
      this.waiting += 1;
      this.#armPatience(lane);
    } else {
      lane.dropped += 1;
      if (lane.dropped > 1) return;
      const { channelId } = lane;
      log.error(
        { channelId, waiting: MAX_WAITING },
        `events of channel ${channelId} arrive faster than they are handled; dropping new ones`,
      );
    }
  }

  /**
   * Starts a run as the `overlap` and `burst` of its handler require. One run at most waits in a lane of such runs: a newer event
   * takes its turn.
   */
  runNewest(id: string, run: HandlerRun, start: EventTask): void {
    const { activity, clock } = this.#env;
    const { overlap, burstMs } = run.listener;
    const lane = this.#lanes.get(id) ?? this.#open(id, NO_HANDLERS, run.delivery);
    const { current } = lane;
    const [turn] = lane.waiting;
    if (current && overlap === 'drop') return;
    const aborted = overlap === 'abort' ? current : undefined;
    aborted?.run?.replace();
    const replaced = (turn ?? aborted)?.events?.splice(0) ?? [];
    if (replaced.length > MAX_SKIPPED) replaced.shift()?.end();
    run.skipped = replaced.map(({ data }) => data);
    const events = [...replaced, { data: run.delivery.data, end: activity.bind(() => {}) }];
    const ended = turn?.ended ?? activity.begin();
    const nowMs = clock.monotonic();
    const latestMs = turn?.latestMs ?? nowMs + MAX_BURST * burstMs;
    lane.waiting[0] = { start: AsyncResource.bind(start), ended, run, events, latestMs };
    if (!turn) this.waiting += 1;
    lane.quietAtMs = Math.min(nowMs + burstMs, latestMs);
    if (current) this.#armPatience(lane);
    else if (!turn) this.#next(lane, lane.running);
  }

  /** Ends all bursts: their handlers run as soon as the lane is free. */
  endBursts(): void {
    for (const lane of this.#lanes.values()) this.#endBurst(lane);
  }

  #endBurst(lane: Lane): void {
    lane.quietAtMs = 0;
    if (this.#bursts.has(lane)) this.#next(lane, lane.running);
  }

  /** Drops all waiting events, at the end of the bot. They have not ended: a queue delivers them again to another process. */
  clear(): void {
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    this.#bursts.clear();
    for (const { timer } of lanes) timer?.cancel();
    for (const { waiting } of lanes) for (const _ of waiting) this.#env.activity.abandon();
    this.waiting = 0;
    this.#notifyRoom();
  }

  #open(...given: ConstructorParameters<typeof Lane>): Lane {
    const lane = new Lane(...given);
    this.#lanes.set(lane.id, lane);
    return lane;
  }

  #follow(lane: Lane, running: Promise<unknown>): void {
    lane.running = running;
    void running.then(() => this.#next(lane, running));
  }

  /** Limits the wait of the first event in the queue. A handler has no limit while the queue is empty. */
  #armPatience(lane: Lane): void {
    const { clock, log } = this.#env;
    const { channelId, running } = lane;
    lane.timer ??= clock.setTimeout(() => {
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
    lane.timer?.cancel();
    lane.timer = null;
    lane.current = undefined;
    const { clock } = this.#env;
    const leftMs = lane.quietAtMs > 0 ? lane.quietAtMs - clock.monotonic() : 0;
    if (leftMs > 0) {
      lane.timer = clock.setTimeout(() => this.#next(lane, ended), leftMs);
      this.#bursts.add(lane);
      const [oldest] = this.#bursts;
      if (oldest && this.#bursts.size > MAX_BURSTS) this.#endBurst(oldest);
      return;
    }
    this.#bursts.delete(lane);
    for (;;) {
      const next = lane.waiting.shift();
      if (!next) break;
      this.waiting -= 1;
      this.#notifyRoom();
      lane.current = next;
      const running = next.start();
      const end = (): void => {
        next.ended();
        for (const event of next.events ?? []) event.end();
      };
      if (!running) {
        end();
        continue;
      }
      void running.then(end);
      this.#follow(lane, running);
      if (lane.waiting.length > 0) this.#armPatience(lane);
      return;
    }
    const { id, channelId, dropped } = lane;
    this.#lanes.delete(id);
    if (dropped > 0)
      this.#env.log.warn(
        { channelId, dropped },
        `dropped ${dropped} events of channel ${channelId}; the events in the queue are handled`,
      );
  }

  #notifyRoom(): void {
    if (this.waiting >= MAX_TOTAL) return;
    const waiting = this.#onRoom;
    this.#onRoom = [];
    for (const resolve of waiting) resolve();
  }
}
