import { isObject } from '@virgule/core/objects';
import { EVENT_ALIASES } from '@virgule/core/protocol';
import { eventContextOf } from './create-event-context.js';
import type { Delivery, EventListener, EventListeners } from './event-listener.js';
import type { BotEnvironment } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { EventLanes } from './event-lanes.js';
import { warnOnce } from '../command/warn-once.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { isSameId } from '../options/references.js';
import { readPayload } from '../command/run/read-payload.js';
import { HandlerRun, reportFailure } from './handler-run.js';

/** Time at which an event was received; `recovered` if the event was read back after a gap. */
export type EventSource = Pick<BotEvent, 'receivedAtMs' | 'recovered'>;

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(EVENT_ALIASES));

/** Returns whether a handler receives all events of a channel at their turn, together with the other handlers. */
const isInOrder = ({ order, overlap }: EventListener): boolean =>
  order === 'channel' && overlap === undefined;

export class EventRunner {
  readonly lanes: EventLanes;
  readonly #env: BotEnvironment;
  readonly #done = new WeakSet<EventListener>();
  /** Running handlers of `ready`, such as loops. A reload keeps the function of an unchanged file. */
  readonly #loops = new Map<EventListener['run'], { run: HandlerRun; running: Promise<unknown> }>();
  #lastReady: { readonly data: unknown } | undefined;

  constructor(env: BotEnvironment) {
    this.#env = env;
    this.lanes = new EventLanes(env);
  }

  /** Stops running handlers of `ready` that are not in `next`, and starts handlers that are only in `next`. */
  replace(previous: EventListeners, next: EventListeners): void {
    const old = new Set(previous.get('ready')?.map((listener) => listener.run));
    const listeners = next.get('ready') ?? [];
    const kept = new Set(listeners.map((listener) => listener.run));
    for (const handler of this.#loops.keys()) if (!kept.has(handler)) this.#stopLoop(handler);
    if (!this.#lastReady) return;
    for (const listener of listeners)
      if (!old.has(listener.run)) this.#startReady(listener, this.#lastReady.data);
  }

  /**
   * Stops running handlers of `ready`, and runs the handlers that wait for the end of a burst. The activity counts these
   * handlers until they have ended.
   */
  stop(): void {
    this.lanes.endBursts();
    for (const [handler, { running }] of this.#loops) {
      this.#env.activity.track(running);
      this.#stopLoop(handler);
    }
  }

  #stopLoop(handler: EventListener['run']): void {
    this.#loops.get(handler)?.run.lifetime.stop(runtimeErrors.E_HANDLER_STOPPED({}));
  }

  /** Starts a handler of `ready`. Its previous run is stopped: after a reconnect there is one loop, not two. */
  #startReady(listener: EventListener, data: unknown): void {
    const delivery = { data, receivedAtMs: 0, recovered: false, isOwn: false };
    if (!this.#takes(listener, delivery) || !this.#isDue(listener)) return;
    const { run: handler } = listener;
    this.#stopLoop(handler);
    const run = new HandlerRun(this.#env, listener, delivery);
    const running = run.start(eventContextOf(run));
    if (!running) return void this.#loops.delete(handler);
    const loop = { run, running };
    this.#loops.set(handler, loop);
    void running.then(() => {
      if (this.#loops.get(handler) === loop) this.#loops.delete(handler);
    });
  }

  /** Returns whether a handler runs for an event. A handler with `once` runs only for the first event. */
  #isDue(listener: EventListener): boolean {
    if (!listener.once) return true;
    if (this.#done.has(listener)) return false;
    this.#done.add(listener);
    return true;
  }

  /** Starts every handler of an event, in the order of the files, at the turn of the event in its channel. */
  run(
    listeners: EventListeners,
    name: string,
    rawData: unknown,
    botUserId: string,
    { receivedAtMs, recovered: mark }: EventSource,
  ): void {
    let event = name;
    let handlers = listeners.get(event);
    if (!handlers) {
      event = ALIASES.get(name) ?? '';
      handlers = listeners.get(event);
    }
    if (!handlers) return;
    if (event === 'ready') {
      this.#lastReady = { data: rawData };
      for (const listener of handlers) this.#startReady(listener, rawData);
      return;
    }
    const data = readPayload(event, rawData);
    if (data === undefined) {
      // Logged once: a platform that sends one invalid payload sends more.
      const message = `skipped the handlers of ${event}: its payload is invalid`;
      return warnOnce(this.#env.log, { event }, message);
    }
    const { authorId, userId, channelId: place }: Readonly<Record<string, unknown>> = Object(data);
    const actorId = authorId ?? userId;
    const isOwn = isSameId(actorId, botUserId);
    const channelId = typeof place === 'string' ? place : undefined;
    if (isOwn && channelId !== undefined && event === 'MESSAGE_CREATE')
      this.#env.loops?.visible(channelId, receivedAtMs);
    const recovered = mark === true;
    const delivery = { channelId, actorId, receivedAtMs, recovered, data, isOwn };
    if (handlers.every((listener) => isInOrder(listener) && !listener.when)) {
      this.lanes.run(channelId, this.#start, handlers, delivery);
      return;
    }
    const taken = handlers.filter((listener) => this.#takes(listener, delivery));
    const inOrder = taken.filter(isInOrder);
    if (inOrder.length > 0) this.lanes.run(channelId, this.#start, inOrder, delivery);
    for (const listener of taken) {
      if (isInOrder(listener)) continue;
      const lane = this.#laneOf(listener, delivery);
      if (lane === undefined || listener.overlap === undefined) {
        this.lanes.run(lane, this.#start, [listener], delivery);
      } else {
        const run = new HandlerRun(this.#env, listener, delivery);
        this.lanes.runNewest(`${lane} ${listener.overlap}`, run, () =>
          this.#isDue(listener) ? run.start(eventContextOf(run)) : undefined,
        );
      }
    }
  }

  /** Returns whether a handler takes an event, before the event waits for its turn. */
  #takes(listener: EventListener, { data, isOwn }: Delivery): boolean {
    const { own, once, when } = listener;
    if ((isOwn && !own) || (once && this.#done.has(listener))) return false;
    return !when || (this.#ask(listener, 'when', () => when(data, this.#env.me)) ?? false);
  }

  /** Returns the lane of a handler that has its own lanes; `undefined` for a handler without an order. */
  #laneOf(listener: EventListener, { data, channelId }: Delivery): string | undefined {
    const { order, file } = listener;
    if (order === 'none') return undefined;
    if (order === 'channel') return `${file} ${channelId}`;
    const key = this.#ask(listener, 'order', () => order(data));
    return key === null ? undefined : `${file} ${String(key)}`;
  }

  /** Calls a function of the author. Reports its error, or the promise of an async function, and returns `null` then. */
  #ask<V>(listener: EventListener, key: 'when' | 'order', call: () => V): V | null {
    try {
      const value = call();
      if (!isObject(value) || !('then' in value)) return value;
      Promise.resolve(value).catch(() => {});
      const want = 'a function that is not async';
      const saw = 'one that returns a promise';
      throw runtimeErrors.E_SETTING({ file: listener.file, key, want, saw });
    } catch (error) {
      reportFailure(this.#env, listener, error);
      return null;
    }
  }

  readonly #start = (listeners: readonly EventListener[], delivery: Delivery) => {
    let running: Promise<unknown>[] | undefined;
    for (const listener of listeners) {
      if ((delivery.isOwn && !listener.own) || !this.#isDue(listener)) continue;
      const run = new HandlerRun(this.#env, listener, delivery);
      const handling = run.start(eventContextOf(run));
      if (handling) (running ??= []).push(handling);
    }
    if (!running) return undefined;
    return running.length === 1 ? running[0] : Promise.all(running);
  };
}
