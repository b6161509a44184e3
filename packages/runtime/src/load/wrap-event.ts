import { errorText, readableError } from '@virgule/core/errors';
import { WatchedPromise } from '../context/watched-promise.js';
import { isStop } from '../errors/error-guards.js';
import type { EventContext } from '../context/event-context.js';
import type { EventErrorHandler, EventMiddleware } from '../define/define-event-middleware.js';
import type { EventListener } from './project.js';

export interface WrapEventOptions {
  readonly file: string;
  /** Outermost first. */
  readonly middleware: readonly EventMiddleware[];
  /** Innermost first. */
  readonly errorHandlers: readonly EventErrorHandler[];
}

type Run = EventListener['run'];

/** Returns a handler with the middleware and the error handlers of its folders around it. It throws what the handler throws. */
export function wrapEvent(run: Run, options: WrapEventOptions): Run {
  const guarded = options.middleware.reduceRight(wrapOne, run);
  if (options.errorHandlers.length === 0) return guarded;
  return async (context) => {
    try {
      await guarded(context);
    } catch (error) {
      if (!isStop(error, context.signal)) await showEventError(error, context, options);
      throw error;
    }
  };
}

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

/** Replies with the text of the nearest error handler that returns one. */
async function showEventError(
  error: unknown,
  context: EventContext<unknown>,
  { file, errorHandlers }: WrapEventOptions,
): Promise<void> {
  for (const handler of errorHandlers) {
    try {
      const answer = await handler(error, context);
      if (answer === undefined) continue;
      if (answer !== null) await context.reply?.(answer);
      return;
    } catch (reason) {
      // After a handler that fails, the next outer one is called.
      const thrown = readableError(reason);
      context.log.error(
        { file, err: thrown },
        `an error handler of ${file} failed: ${errorText(thrown)}`,
      );
    }
  }
}
