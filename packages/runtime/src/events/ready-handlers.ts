import { createEventContexts } from './create-event-context.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { EventListener, EventListeners } from './event-listener.js';
import type { BotEnvironment } from '../command/environment.js';
import { HandlerRun } from './handler-run.js';

/** A handler that still runs, such as a loop. */
interface ReadyRun {
  readonly lifetime: HandlerRun['lifetime'];
  running: Promise<unknown> | undefined;
}

/** The handlers of `ready`. They may run as long as the bot does, and end when it connects again or their file changes. */
export class ReadyHandlers {
  readonly #env: BotEnvironment;
  readonly #contextOf: ReturnType<typeof createEventContexts>;
  /** By their functions, which a reload keeps for files that it does not touch. */
  readonly #runs = new Map<EventListener['run'], ReadyRun>();
  readonly #done = new WeakSet<EventListener>();
  #last: { readonly data: unknown } | undefined;

  constructor(env: BotEnvironment) {
    this.#env = env;
    this.#contextOf = createEventContexts(env);
  }

  start(listeners: readonly EventListener[], data: unknown): void {
    this.#last = { data };
    for (const listener of listeners) this.#start(listener, data);
  }

  /** Ends handlers that still run and are not in `next`, and starts those that are new. */
  replace(previous: EventListeners, next: EventListeners): void {
    const old = new Set(previous.get('ready')?.map((listener) => listener.run));
    const listeners = next.get('ready') ?? [];
    const kept = new Set(listeners.map((listener) => listener.run));
    const reason = runtimeErrors.E_HANDLER_STOPPED({});
    for (const [handler, { lifetime }] of this.#runs) if (!kept.has(handler)) lifetime.stop(reason);
    if (!this.#last) return;
    for (const listener of listeners)
      if (!old.has(listener.run)) this.#start(listener, this.#last.data);
  }

  /** Ends handlers that still run. The activity counts them until they have ended. */
  stop(): void {
    const reason = runtimeErrors.E_HANDLER_STOPPED({});
    for (const { lifetime, running } of this.#runs.values()) {
      if (running) this.#env.activity.track(running);
      lifetime.stop(reason);
    }
  }

  /** Starts a handler. Its previous run ends: after a reconnect there is one loop, not two. */
  #start(listener: EventListener, data: unknown): void {
    const { run: handler } = listener;
    if (listener.once && this.#done.has(listener)) return;
    this.#done.add(listener);
    this.#runs.get(handler)?.lifetime.stop(runtimeErrors.E_HANDLER_STOPPED({}));
    const started = new HandlerRun(this.#env, listener);
    const delivery = { data, channelId: undefined, recovered: false };
    const context = this.#contextOf(listener, delivery, started);
    const run: ReadyRun = { lifetime: started.lifetime, running: undefined };
    this.#runs.set(handler, run);
    run.running = started.start(context);
    const end = (): void => {
      if (this.#runs.get(handler) === run) this.#runs.delete(handler);
    };
    if (run.running) void run.running.then(end);
    else end();
  }
}
