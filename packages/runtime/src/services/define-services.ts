import type { BotContext } from '../command/context/shared-context.js';

/** What the function of a `services.ts` receives. Every member can be destructured. */
export interface ServicesContext extends BotContext {
  /** Aborted when the services are no longer needed: every handler has ended, or the start was canceled. */
  readonly signal: AbortSignal;
  /**
   * Registers a callback for when the bot stops, or when a later line of the same function throws: for
   * values that are not disposed automatically. It may return a promise.
   */
  readonly onDispose: (callback: () => unknown) => void;
}

/** An object of services. A promise is an object too, which `async` functions without a result would return. */
type ServicesObject = object & { readonly then?: never };

/** Creates what all handlers share. */
export type CreateServices<Created extends ServicesObject = ServicesObject> = (
  context: ServicesContext,
) => Created | Promise<Created>;

/**
 * Defines what all handlers share, such as a database: the default export of `services.ts`. It runs
 * once, before the first handler; its object is `ctx.services`. When the bot stops, each member that
 * has a `Symbol.asyncDispose`, a `Symbol.dispose` or a `close` method (the first of these that it has)
 * is disposed, the last one first, and then the callbacks of `onDispose` are called, the last one first.
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
