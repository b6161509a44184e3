import type { ConcurrencySetting, CooldownSetting } from '../throttle/throttle-settings.js';
import type { CommandContext } from '../context/command-context.js';
import type { Answer } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';

/** Settings that apply to all commands of a folder together. */
export interface MiddlewareSettings {
  /** Cooldown as of a command, but counted over all commands of the folder. @defaultValue none */
  readonly cooldown?: Duration | CooldownSetting | undefined;
  /** Concurrency limit as of a command, but counted over all commands of the folder. @defaultValue none */
  readonly concurrency?: ConcurrencySetting | undefined;
}

/**
 * Runs around every command of its folder and the folders below. `next()` runs the inner middleware and the command, and
 * resolves to their answer, which is `undefined` if they replied themselves. A second call of `next()` runs nothing again, nor
 * does a call after the middleware has ended. A returned answer replaces the inner answer. Without `next()` the command does
 * not run and uses up no cooldown, and a returned text is the answer.
 */
export interface Middleware {
  (context: CommandContext, next: () => Promise<Answer>): Answer | Promise<Answer>;
  readonly settings?: MiddlewareSettings | undefined;
}

/**
 * Defines the middleware of a `_middleware.ts` file. Export it as the default export.
 *
 * @example
 * ```ts
 * // commands/admin/_middleware.ts
 * export default defineMiddleware(async ({ serverId }, next) => {
 *   if (serverId !== HOME) return 'Only in our own server.';
 *   return next();
 * });
 * ```
 */
export function defineMiddleware(
  middleware: (context: CommandContext, next: () => Promise<Answer>) => Answer | Promise<Answer>,
  settings?: MiddlewareSettings,
): Middleware {
  // JavaScript may pass the arguments in the wrong order. The loader reports it; a wrapper would fail only in the chat.
  if (typeof middleware !== 'function') return middleware;
  // A new function: the same middleware can be used for other folders with other settings.
  const copy: Middleware = (context, next) => middleware(context, next);
  // The record of a failure keeps the words of the code.
  return Object.assign(copy, middleware, { settings, toString: () => String(middleware) });
}

/**
 * Returns the text for the user when a command of its folder, or of a folder below, throws. `undefined` passes the error to the
 * next outer handler, unless the handler replied itself; `null` shows nothing.
 */
export type ErrorHandler = (error: unknown, context: CommandContext) => Answer | Promise<Answer>;

/** Defines the error handler of an `_error.ts` file. Export it as the default export. */
export function defineErrorHandler(handler: ErrorHandler): ErrorHandler {
  return handler;
}
