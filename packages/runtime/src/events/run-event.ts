import { AsyncResource } from 'node:async_hooks';
import { isObject } from '@virgule/core/objects';
import { EVENT_ALIASES } from '@virgule/core/protocol';
import { createEventContexts, type Delivery } from './create-event-context.js';
import type { EventListener, EventListeners } from './event-listener.js';
import type { BotEnvironment } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { EventLanes } from './event-lanes.js';
import { isFirst } from '../command/is-first.js';
import { readPayload } from '../command/run/read-payload.js';
import { ReadyHandlers } from './ready-handlers.js';
import { HandlerRun, reportFailure } from './handler-run.js';

/** When an event was received, and whether it was read back after a gap. */
export type EventSource = Pick<BotEvent, 'receivedAtMs' | 'recovered'>;

/** An event, and whether the bot caused it itself. */
interface OwnedDelivery extends Delivery {
  readonly isOwn: boolean;
}

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(EVENT_ALIASES));

/** Starts the handlers of events. */
export class EventRunner {
  /** Handlers of `ready`, which run as long as the bot does. */
  readonly ready: ReadyHandlers;
  /** Events that wait for their turn. */
  readonly lanes: EventLanes;
  readonly #env: BotEnvironment;
  readonly #contextOf: ReturnType<typeof createEventContexts>;
  readonly #done = new WeakSet<EventListener>();

  constructor(env: BotEnvironment) {
    this.#env = env;
    this.#contextOf = createEventContexts(env);
    this.ready = new ReadyHandlers(env);
    this.lanes = new EventLanes(env);
  }

  /**
   * Starts every handler of an event, in the order of their files, when it is the event's turn in its channel.
   */
  run(
    listeners: EventListeners,
    name: string,
    rawData: unknown,
    botUserId: string,
    { receivedAtMs, recovered }: EventSource,
  ): void {
    let event = name;
    let handlers = listeners.get(event);
    if (!handlers) {
      event = ALIASES.get(name) ?? '';
      handlers = listeners.get(event);
      if (!handlers) return;
    }
    if (event === 'ready') {
      this.ready.start(handlers, rawData);
      return;
    }
    const data = readPayload(event, rawData);
    if (data === undefined) {
      // A platform that sends one sends more.
      if (isFirst(this.#env.log, `the payload of ${event}`))
        this.#env.log.warn({ event }, `skipped the handlers of ${event}: its payload is invalid`);
      return;
    }
    const { authorId, userId, channelId: place }: EventFields = isObject(data) ? data : {};
    const actorId = authorId ?? userId;
    const isOwn = actorId === botUserId;
    const channelId = typeof place === 'string' ? place : undefined;
    const source = { channelId, actorId, receivedAtMs, recovered: recovered === true };
    const delivery = { ...source, data, isOwn };
    if (handlers.every(({ order }) => order === 'channel')) {
      this.#enqueue(handlers, channelId, delivery);
      return;
    }
    const inOrder = handlers.filter(({ order }) => order === 'channel');
    this.#enqueue(inOrder, channelId, delivery);
    for (const listener of handlers) {
      if (listener.order !== 'channel')
        this.#enqueue([listener], this.#laneOf(listener, data), delivery);
    }
  }

  /** Returns the lane of a handler with an order of its own; `undefined` for one without an order. */
  #laneOf(listener: EventListener, data: unknown): string | undefined {
    const { order, file } = listener;
    if (typeof order !== 'function') return undefined;
    try {
      return `${file} ${order(data)}`;
    } catch (error) {
      reportFailure(this.#env, listener, error);
      return undefined;
    }
  }

  /** Starts handlers when it is their turn in a lane. */
  #enqueue(
    listeners: readonly EventListener[],
    lane: string | undefined,
    delivery: OwnedDelivery,
  ): void {
    const { lanes } = this;
    const busy = lanes.busyLane(lane);
    if (!busy) {
      const running = this.#start(listeners, delivery);
      if (!running) return;
      this.#env.activity.track(running);
      lanes.hold(lane, running);
      return;
    }
    const end = this.#env.activity.begin();
    const start = (): Promise<unknown> | undefined => {
      const running = this.#start(listeners, delivery);
      if (running) void running.then(end);
      else end();
      return running;
    };
    // In the context of this event, and not in that of the one that it waits for.
    lanes.wait(busy, AsyncResource.bind(start), end);
  }

  #start(
    listeners: readonly EventListener[],
    delivery: OwnedDelivery,
  ): Promise<unknown> | undefined {
    let running: Promise<unknown>[] | undefined;
    for (const listener of listeners) {
      if (delivery.isOwn && !listener.own) continue;
      if (listener.once) {
        if (this.#done.has(listener)) continue;
        this.#done.add(listener);
      }
      const run = new HandlerRun(this.#env, listener, delivery);
      const handling = run.start(this.#contextOf(listener, delivery, run));
      if (handling) (running ??= []).push(handling);
    }
    if (!running) return undefined;
    return running.length === 1 ? running[0] : Promise.all(running);
  }
}

/** The fields that show whether the bot caused an event itself, and where it happened. */
interface EventFields {
  readonly authorId?: unknown;
  readonly userId?: unknown;
  readonly channelId?: unknown;
}
