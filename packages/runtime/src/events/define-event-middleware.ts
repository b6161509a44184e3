import type { EventContext } from './event-context.js';
import type { MessageInput } from '../command/answer/answer.js';

/**
 * Runs around every event handler of its folder and the folders below. `next()` runs what is inside; calling
 * it again runs nothing again. Without `next()` the handler does not run.
 */
export type EventMiddleware = (
  context: EventContext<unknown>,
  next: () => Promise<void>,
) => unknown;

/**
 * Defines the middleware of a `_middleware.ts` file below `events/`. Export it as the default export.
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
export function defineEventMiddleware(middleware: EventMiddleware): EventMiddleware {
  return middleware;
}

/**
 * Decides what users see when an event handler of its folder, or of a folder below, throws: a message, sent as
 * `reply` does. `undefined` leaves it to the next outer handler, `null` shows nothing. The error is logged and passed to
 * `events/error.ts` as well.
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
