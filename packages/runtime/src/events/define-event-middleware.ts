import type { EventContext } from './event-context.js';
import type { Events } from './define-event.js';
import type { MessageInput } from '../command/answer/answer.js';

/**
 * Runs around every event handler of its folder and the folders below. `next()` runs the inner middleware and the handler;
 * further calls of `next()` have no effect. Without `next()` the handler does not run.
 */
export type EventMiddleware<Data = unknown> = (
  context: EventContext<Data>,
  next: () => Promise<void>,
) => unknown;

/**
 * Defines the middleware of a `_middleware.ts` file below `events/`. Export it as the default export. In a folder of one event,
 * the name of the event sets the type of `data`: `defineEventMiddleware<'MESSAGE_CREATE'>(…)`.
 *
 * @example
 * ```ts
 * // events/_middleware.ts
 * export default defineEventMiddleware(async ({ event, log, clock }, next) => {
 *   const startMs = clock.now();
 *   await next();
 *   log.info({ ms: clock.now() - startMs }, event);
 * });
 * ```
 */
export function defineEventMiddleware<Name extends keyof Events | undefined = undefined>(
  middleware: EventMiddleware<Name extends keyof Events ? Events[Name] : unknown>,
): EventMiddleware {
  // The folder of the file decides for which events it runs.
  return middleware as EventMiddleware;
}

/**
 * Returns the message for users when an event handler of its folder, or of a folder below, throws. The message is sent as by
 * `reply`. `undefined` passes the error to the next outer handler, `null` shows nothing. The error is also logged and passed to
 * `events/error.ts`.
 */
export type EventErrorHandler = (
  error: unknown,
  context: EventContext<unknown>,
) => EventAnswer | Promise<EventAnswer>;

type EventAnswer = MessageInput | null | undefined | void;

/** Defines the error handler of an `_error.ts` file below `events/`. Export it as the default export. */
export function defineEventErrorHandler(handler: EventErrorHandler): EventErrorHandler {
  return handler;
}
