import { errorText, readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { EVENT_ALIASES, EVENTS, readLeniently, type EventName } from '@virgule/core/protocol';
import { createChannelHandle } from '../context/channel-handle.js';
import { createContextLog } from '../context/context-log.js';
import { createContextClock } from '../context/context-clock.js';
import { createEventContext, type EventContextInit } from '../context/create-event-context.js';
import type { EventContext } from '../context/event-context.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createController, scopeOf } from '../interaction/lifetime.js';
import type { EventListener, Project } from '../load/project.js';
import type { BotEnvironment } from './bot-environment.js';
import type { Activity } from './activity.js';
import { EventLanes } from './event-lanes.js';
import { isPlainPayload } from './plain-payload.js';

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

/** One event, ready for its handlers. */
interface Delivery {
  readonly data: unknown;
  readonly channelId: string | undefined;
  readonly isOwn: boolean;
  readonly recovered: boolean;
}

/** A handler of `ready` that still runs, such as a loop. */
interface ReadyRun {
  readonly stop: AbortController;
  running: Promise<unknown> | undefined;
}

export function createEventRunner(
  env: BotEnvironment,
  { signal, activity }: EventRunnerOptions,
): EventRunner {
  const { log, clock, onError } = env;
  const lifetime = scopeOf(signal);
  const contextLog = createContextLog(log);
  /** What ends with the bot. */
  const whole: Pick<EventContextInit, 'log' | 'signal' | 'clock' | 'channel'> = {
    log: contextLog,
    signal,
    clock: createContextClock(clock, lifetime),
    channel: (id) => createChannelHandle(id, env, lifetime),
  };
  const done = new WeakSet<EventListener>();
  /** By their functions, which a reload keeps for files that it does not touch. */
  const readyRuns = new Map<EventListener['run'], ReadyRun>();
  let lastReady: { readonly data: unknown } | undefined;
  const lanes = new EventLanes({ clock, log });

  function failed({ event, file }: EventListener, thrown: unknown): void {
    const error = readableError(thrown);
    log.error({ event, file, err: error }, `${file} failed: ${errorText(error)}`);
    // An error handler that fails would receive its own error indefinitely.
    if (event !== 'error') onError(error, file);
  }

  /** Starts one handler. Returns a promise only if there is something to wait for. */
  function start(
    listener: EventListener,
    context: EventContext<unknown>,
    stopped?: AbortSignal,
  ): Promise<unknown> | undefined {
    try {
      const returned = listener.run(context);
      if (!isObject(returned) || !('then' in returned)) return undefined;
      return Promise.resolve(returned).catch((error: unknown) => {
        // The reason of the signal is how a stopped loop ends.
        if (!stopped?.aborted || error !== stopped.reason) failed(listener, error);
      });
    } catch (error) {
      failed(listener, error);
      return undefined;
    }
  }

  /** Starts a handler of `ready`. Its previous run ends: after a reconnect there is one loop, not two. */
  function startReady(listener: EventListener, data: unknown): void {
    const { run: handler } = listener;
    if (listener.once && done.has(listener)) return;
    done.add(listener);
    readyRuns.get(handler)?.stop.abort(runtimeErrors.E_HANDLER_STOPPED({}));
    const stop = createController();
    const scope = scopeOf(stop.signal);
    const context = createEventContext(env, {
      listener,
      data,
      channelId: undefined,
      recovered: false,
      log: contextLog,
      channel: (id) => createChannelHandle(id, env, scope),
      signal: stop.signal,
      clock: createContextClock(clock, scope),
    });
    const run: ReadyRun = { stop, running: undefined };
    readyRuns.set(handler, run);
    run.running = start(listener, context, stop.signal);
    const end = (): void => void (readyRuns.get(handler) === run && readyRuns.delete(handler));
    if (run.running) void run.running.then(end);
    else end();
  }

  /** Returns the lane of a handler with an order of its own; `undefined` for one without an order. */
  function laneOf(listener: EventListener, data: unknown): string | undefined {
    const { order, file } = listener;
    if (typeof order !== 'function') return undefined;
    try {
      return `${file} ${order(data)}`;
    } catch (error) {
      failed(listener, error);
      return undefined;
    }
  }

  /** Starts handlers when it is their turn in a lane. */
  function enqueue(
    listeners: readonly EventListener[],
    lane: string | undefined,
    delivery: Delivery,
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
    { data, channelId, isOwn, recovered }: Delivery,
  ): Promise<unknown> | undefined {
    let running: Promise<unknown>[] | undefined;
    for (const listener of listeners) {
      if (isOwn && !listener.own) continue;
      if (listener.once) {
        if (done.has(listener)) continue;
        done.add(listener);
      }
      const init = { listener, data, channelId, recovered, ...whole };
      const run = start(listener, createEventContext(env, init));
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
        lastReady = { data: rawData };
        for (const listener of handlers) startReady(listener, rawData);
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
    replaceReady(previous, next) {
      const old = new Set(previous.events.get('ready')?.map((listener) => listener.run));
      const listeners = next.events.get('ready') ?? [];
      const kept = new Set(listeners.map((listener) => listener.run));
      const reason = runtimeErrors.E_HANDLER_STOPPED({});
      for (const [handler, { stop }] of readyRuns) if (!kept.has(handler)) stop.abort(reason);
      if (!lastReady) return;
      for (const listener of listeners)
        if (!old.has(listener.run)) startReady(listener, lastReady.data);
    },
    stopReady() {
      const reason = runtimeErrors.E_HANDLER_STOPPED({});
      for (const { stop, running } of readyRuns.values()) {
        if (running) activity.track(running);
        stop.abort(reason);
      }
    },
    busy: () => lanes.busy(),
    close: () => lanes.clear(),
  };
}

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(EVENT_ALIASES));

/**
 * Reads a payload, only if there is a handler for it. Unknown fields stay; `undefined` means that a
 * required one is missing.
 */
function readPayload(event: string, data: unknown): unknown {
  if (!Object.hasOwn(EVENTS, event)) return data;
  // One of the keys, as was just seen.
  const name = event as EventName;
  if (isPlainPayload(name, data)) return data;
  const reading = readLeniently(EVENTS[name].payload, data);
  return reading.success ? reading.data : undefined;
}

/** Returns the fields that show whether the bot caused an event itself, and where it happened. */
function fieldsOf(
  data: unknown,
): { readonly authorId?: unknown; readonly userId?: unknown; readonly channelId?: unknown } | null {
  return isObject(data) ? data : null;
}
