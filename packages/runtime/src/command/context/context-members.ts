import type { Clock } from '@virgule/core/clock';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { durationMs } from '../../text/duration.js';
import type { BotEnvironment } from '../environment.js';
import type { CallScope } from '../lifetime.js';
import type { ContextClock, HandlerContext } from './shared-context.js';

/** Maximum sleep of `Clock` in milliseconds: about 25 days. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/** Clock of one handler. Its functions are created when they are read: a command that waits would keep them in memory. */
export class BoundClock implements ContextClock {
  readonly #clock: Clock;
  readonly #lifetime: CallScope;

  constructor(clock: Clock, lifetime: CallScope) {
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  get now(): ContextClock['now'] {
    return () => this.#clock.now();
  }

  get sleep(): ContextClock['sleep'] {
    return async (duration) => {
      const ms = durationMs(duration);
      if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(duration) });
      await this.#lifetime.during(async (signal) => {
        let leftMs: number = ms;
        for (; leftMs > MAX_SLEEP_MS; leftMs -= MAX_SLEEP_MS)
          await this.#clock.sleep(MAX_SLEEP_MS, { signal });
        await this.#clock.sleep(leftMs, { signal });
      });
    };
  }
}

/** Returns the `fetchAttachment` of a handler. The signal of `scope` ends a download, and is read when the download begins. */
export const fetchAttachments =
  (
    { rest, attachmentHosts: hosts }: Pick<BotEnvironment, 'rest' | 'attachmentHosts'>,
    scope: { readonly signal: AbortSignal },
  ): HandlerContext['fetchAttachment'] =>
  (url, options) =>
    rest.attachments.download(url, { ...options, hosts, signal: scope.signal });

/** Key of the member with the source of `signal`. The source is read on first use, since it may create the signal only then. */
const SOURCE = Symbol('source');

type Sourced = { [SOURCE]: { readonly signal: AbortSignal } };

/** Property `signal`, shared by all contexts: objects with different getters are slow to create and to read. */
const SIGNAL: PropertyDescriptor & ThisType<Sourced> = {
  get() {
    return this[SOURCE].signal;
  },
  enumerable: true,
  configurable: true,
};

/** Adds the member `signal`, read from `source` on first use. A copy of the context has it too. */
export function addSignal<Context extends object>(
  context: Context,
  source: Sourced[typeof SOURCE],
): Context & { readonly signal: AbortSignal } {
  // Assigned, not defined: a second `defineProperty` would take longer than everything else that is created for an event.
  (context as Partial<Sourced>)[SOURCE] = source;
  Object.defineProperty(context, 'signal', SIGNAL);
  // The context has the member `signal` now.
  return context as Context & { readonly signal: AbortSignal };
}
