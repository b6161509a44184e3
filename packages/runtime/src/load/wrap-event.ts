import { WatchedPromise } from '../command/context/watched-promise.js';
import type { EventMiddleware } from '../events/define-event-middleware.js';
import type { EventListener } from '../events/event-listener.js';

type Run = EventListener['run'];

/** Returns a handler with the middleware of its folders around it, the outermost first. */
export const wrapEvent = (run: Run, middleware: readonly EventMiddleware[]): Run =>
  middleware.reduceRight(wrapOne, run);

function wrapOne(run: Run, middleware: EventMiddleware): Run {
  return async (context) => {
    let inside: WatchedPromise<void> | undefined;
    const call = async (): Promise<void> => void (await run(context));
    const next = (): Promise<void> => (inside ??= WatchedPromise.watch(call(), () => {}));
    await middleware(context, next);
    // A forgotten `await next()` must not lose an error; one that it waited for is its own.
    if (inside && !inside.isAwaited) await inside;
  };
}
