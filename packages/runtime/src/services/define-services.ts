import type { BotContext } from '../command/context/shared-context.js';
import type { UserRef } from '../options/references.js';
import type { Role } from '../scale/scale.js';

/** The argument of the function in `services.ts`. Every member can be destructured. */
export interface ServicesContext extends BotContext {
  /** Returns the bot itself: its id, and its mention as text. Asks the platform once. Endpoint 1. */
  readonly me: () => Promise<UserRef>;
  /** Role of this process: `'worker'`, or `'all'` if the process also has a gateway, as without the setting `scale`. */
  readonly role: Exclude<Role, 'gateway'>;
  /**
   * Calls a function while this process is the leader: the only process of the bot, or with `scale` one of its workers. `signal` is
   * aborted when the process stops or no longer leads; the services are disposed after the function has ended. The function is
   * called again when the process leads again.
   */
  readonly whileLeading: (work: (signal: AbortSignal) => unknown) => void;
  /** Signal that is aborted when the services are no longer needed: every handler has ended, or the start was canceled. */
  readonly signal: AbortSignal;
  /**
   * Registers a callback that disposes a value, for values that are not disposed automatically. Called when the bot stops, or
   * when a later line of the same function throws. The callback may return a promise.
   */
  readonly onDispose: (callback: () => unknown) => void;
}

/** An object of services. Excludes promises, which are objects too: an `async` function without a result is refused. */
type ServicesObject = object & { readonly then?: never };

/** Creates the services, which all handlers share. */
export type CreateServices<Created extends ServicesObject = ServicesObject> = (
  context: ServicesContext,
) => Created | Promise<Created>;

/**
 * Defines services that all handlers share, such as a database: the default export of `services.ts`. The function runs once,
 * before the first handler; the returned object is `ctx.services`. When the bot stops, each member with a
 * `Symbol.asyncDispose`, `Symbol.dispose` or `close` method is disposed by the first of these methods, in reverse order; then
 * the callbacks of `onDispose` are called, in reverse order.
 *
 * @example
 * ```ts
 * const services = defineServices(async ({ env, onDispose }) => {
 *   const pool = new Pool({ connectionString: env.DATABASE_URL });
 *   onDispose(() => pool.end());
 *   return { pool, scores: await loadScores(pool) };
 * });
 * export default services;
 * ```
 */
export function defineServices<Created extends ServicesObject>(
  create: CreateServices<Created>,
): CreateServices<Created> {
  return create;
}
