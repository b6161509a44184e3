import type { CommandContext } from '../context/command-context.js';
import type { Answer } from './answer.js';

/**
 * Runs around every command of its folder and the folders below. `next()` runs what is inside and
 * resolves when it has ended; calling it again runs nothing again. Without `next()` the command does
 * not run, and a returned text is the answer.
 */
export type Middleware = (
  context: CommandContext,
  next: () => Promise<void>,
) => Answer | Promise<Answer>;

/**
 * Defines the middleware of a `_middleware.ts` file. Export it as the default export.
 *
 * @example
 * ```ts
 * // commands/admin/_middleware.ts
 * export default defineMiddleware(async ({ serverId }, next) => {
 *   if (serverId !== HOME) return 'Only in our own server.';
 *   await next();
 * });
 * ```
 */
export function defineMiddleware(middleware: Middleware): Middleware {
  return middleware;
}

/**
 * Decides what users are told when a command of its folder, or of a folder below, throws.
 * `undefined` leaves it to the next outer handler, `null` tells nothing.
 */
export type ErrorHandler = (error: unknown, context: CommandContext) => Answer | Promise<Answer>;

/** Defines the error handler of an `_error.ts` file. Export it as the default export. */
export function defineErrorHandler(handler: ErrorHandler): ErrorHandler {
  return handler;
}
