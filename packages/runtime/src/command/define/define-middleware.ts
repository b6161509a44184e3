import type { ConcurrencySetting, CooldownSetting } from '../throttle/throttle-settings.js';
import type { CommandContext } from '../context/command-context.js';
import type { Answer } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';

/** What applies to all commands of a folder together. */
export interface MiddlewareSettings {
  /** Like the `cooldown` of a command, but counted over all commands of the folder. @defaultValue none */
  readonly cooldown?: Duration | CooldownSetting | undefined;
  /** Like the `concurrency` of a command, but counted over all commands of the folder. @defaultValue none */
  readonly concurrency?: ConcurrencySetting | undefined;
}

/**
 * Runs around every command of its folder and the folders below. `next()` runs what is inside and
 * resolves to its answer, which is `undefined` if it replied itself; calling it again, or after the
 * middleware has ended, runs nothing. A returned answer replaces that of what is inside. Without `next()` the command does not run
 * and uses up no cooldown, and a returned text is the answer.
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
  // In JavaScript, such as settings that come first: the loader says so, a call would fail in the chat.
  if (typeof middleware !== 'function') return middleware;
  // The function may be the middleware of other folders too, with other settings.
  return Object.assign<Middleware, Pick<Middleware, 'settings'>>(
    (context, next) => middleware(context, next),
    { settings },
  );
}

/**
 * Decides what users see when a command of its folder, or of a folder below, throws. `undefined` leaves
 * it to the next outer handler, unless the handler replied itself; `null` shows nothing.
 */
export type ErrorHandler = (error: unknown, context: CommandContext) => Answer | Promise<Answer>;

/** Defines the error handler of an `_error.ts` file. Export it as the default export. */
export function defineErrorHandler(handler: ErrorHandler): ErrorHandler {
  return handler;
}
