import { EVENT_ALIASES } from '@virgule/core/protocol';
import { createEventContexts, type Delivery } from '../context/create-event-context.js';
import type { EventListener, Project } from '../load/project.js';
import type { Activity } from './activity.js';
import type { BotEnvironment } from './bot-environment.js';
import { EventLanes } from './event-lanes.js';
import { fieldsOf, readPayload } from './event-payload.js';
import { ReadyHandlers } from './ready-handlers.js';
import { reportFailure, startHandler } from './start-handler.js';

export interface EventRunnerOptions {
  /** Aborted at a shutdown, when handlers had their time. */
  readonly signal: AbortSignal;
  /** Counts the events whose handlers run or wait for their turn. */
  readonly activity: Activity;
}

export interface EventRunner {
  /** Starts every handler of an event, in the order of their files, when it is the event's turn in its channel. `recovered`: it was read back after a gap. */
  run(project: Project, event: string, data: unknown, botUserId: string, recovered?: boolean): void;
  /** Returns a promise that resolves when there is room for more events; nothing if there is. */
  busy(): Promise<void> | undefined;
  /** Ends handlers of `ready` that still run and are not in `next`, and starts those that are new. */
  replaceReady(previous: Project, next: Project): void;
  /** Ends handlers of `ready` that still run: at the start of a shutdown, which waits for them. */
  stopReady(): void;
  /** Drops events that wait for their turn. */
  close(): void;
}

/** An event, and whether the bot caused it itself. */
interface OwnedDelivery extends Delivery {
  readonly isOwn: boolean;
}

export function createEventRunner(
  env: BotEnvironment,
  { signal, activity }: EventRunnerOptions,
): EventRunner {
  const { log, clock } = env;
  const contextOf = createEventContexts(env, signal);
  const done = new WeakSet<EventListener>();
  const ready = new ReadyHandlers(env, activity);
  const lanes = new EventLanes({ clock, log });

  /** Returns the lane of a handler with an order of its own; `undefined` for one without an order. */
  function laneOf(listener: EventListener, data: unknown): string | undefined {
    const { order, file } = listener;
    if (typeof order !== 'function') return undefined;
    try {
      return `${file} ${order(data)}`;
    } catch (error) {
      reportFailure(env, listener, error);
      return undefined;
    }
  }

  /** Starts handlers when it is their turn in a lane. */
  function enqueue(
    listeners: readonly EventListener[],
    lane: string | undefined,
    delivery: OwnedDelivery,
  ): void {
    if (lanes.isFree(lane)) {
      const running = startAll(listeners, delivery);
      if (!running) return;
      activity.track(running);
      lanes.hold(lane, running);
      return;
    }
    activity.begin();
    const end = (): void => activity.end();
    lanes.wait(
      lane,
      () => {
        const running = startAll(listeners, delivery);
        if (running) void running.then(end);
        else end();
        return running;
      },
      end,
    );
  }

  function startAll(
    listeners: readonly EventListener[],
    delivery: OwnedDelivery,
  ): Promise<unknown> | undefined {
    let running: Promise<unknown>[] | undefined;
    for (const listener of listeners) {
      if (delivery.isOwn && !listener.own) continue;
      if (listener.once) {
        if (done.has(listener)) continue;
        done.add(listener);
      }
      const run = startHandler(env, listener, contextOf(listener, delivery));
      if (run) (running ??= []).push(run);
    }
    if (!running) return undefined;
    return running.length === 1 ? running[0] : Promise.all(running);
  }

  return {
    run(project, name, rawData, botUserId, recovered = false) {
      let event = name;
      let listeners = project.events.get(event);
      if (!listeners) {
        event = ALIASES.get(name) ?? '';
        listeners = project.events.get(event);
        if (!listeners) return;
      }
      const handlers = listeners;
      if (event === 'ready') {
        ready.start(handlers, rawData);
        return;
      }
      const data = readPayload(event, rawData);
      if (data === undefined) {
        log.warn({ event }, `skipped the handlers of ${event}: its payload is invalid`);
        return;
      }
      const fields = fieldsOf(data);
      const isOwn = (fields?.authorId ?? fields?.userId) === botUserId;
      const channelId = typeof fields?.channelId === 'string' ? fields.channelId : undefined;
      const delivery = { data, channelId, isOwn, recovered };
      if (handlers.every(({ order }) => order === 'channel')) {
        enqueue(handlers, channelId, delivery);
        return;
      }
      enqueue(
        handlers.filter(({ order }) => order === 'channel'),
        channelId,
        delivery,
      );
      for (const listener of handlers) {
        if (listener.order !== 'channel') enqueue([listener], laneOf(listener, data), delivery);
      }
    },
    replaceReady: (previous, next) => ready.replace(previous, next),
    stopReady: () => ready.stop(),
    busy: () => lanes.busy(),
    close: () => lanes.clear(),
  };
}

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(EVENT_ALIASES));
