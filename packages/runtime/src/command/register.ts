import type { z } from 'zod';

/**
 * Types of the parts of a bot. Filled by declaration merging: each member is declared in the file that creates the part.
 *
 * @example
 * ```ts
 * // services.ts
 * const services = defineServices(async ({ env }) => ({ db: await connect(env.DATABASE_URL) }));
 * export default services;
 *
 * declare module 'virgule' {
 *   interface Register {
 *     services: typeof services;
 *   }
 * }
 * ```
 */
export interface Register {}

/**
 * The members of `ctx.locals`, which middleware sets for inner middleware and handlers. Filled by declaration merging, in the
 * file of each middleware.
 *
 * @example
 * ```ts
 * // commands/_middleware.ts
 * declare module 'virgule' {
 *   interface Locals {
 *     language: string;
 *   }
 * }
 * ```
 */
export interface Locals {}

/**
 * The `meta` of commands, for middleware and a help command. Filled by declaration merging; without members it accepts any
 * plain data.
 *
 * @example
 * ```ts
 * // commands/_middleware.ts
 * declare module 'virgule' {
 *   interface CommandMeta {
 *     category?: 'fun' | 'admin';
 *   }
 * }
 * ```
 */
export interface CommandMeta {}

/** The type of `meta`: `CommandMeta`, or any plain data while `CommandMeta` has no members. */
export type Meta = keyof CommandMeta extends never
  ? Readonly<Record<string, unknown>>
  : Readonly<CommandMeta>;

/** The type of `ctx.services`: the result of `services.ts`; no members while `Register` does not declare `services`. */
export type Services = Register extends { readonly services: infer Registered }
  ? Registered extends (...context: never) => infer Created
    ? Awaited<Created>
    : Registered
  : UnregisteredServices;

/** The type of `ctx.env`: the output of the config's `env` schema; no members while `Register` does not declare `config`. */
export type EnvValues = Register extends { readonly config: infer Registered }
  ? Registered extends { readonly env?: infer Schema }
    ? NonNullable<Schema> extends z.ZodType
      ? Readonly<z.output<NonNullable<Schema>>>
      : Readonly<Record<never, never>>
    : Readonly<Record<never, never>>
  : UnregisteredEnv;

/** Services are typed once `services.ts` declares them in `Register`: https://virgule.dev/guide/services */
export interface UnregisteredServices {}

/** Variables are declared in `virgule.config.ts`, and typed once that file declares `config` in `Register`: https://virgule.dev/guide/configuration */
export interface UnregisteredEnv {}
