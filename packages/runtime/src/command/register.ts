import type { z } from 'zod';

/**
 * Types of the parts of a bot. `virgule dev`, `check` and `build` declare the `files` of the bot in `.virgule/types.d.ts`.
 * `config` and `services` replace the types of these files.
 *
 * @example
 * ```ts
 * declare module 'virgule' {
 *   interface Register {
 *     services: { db: Database };
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

/** The type of `ctx.services`: the result of `services.ts`; no members while `Register` declares neither it nor the file. */
export type Services = Register extends { readonly services: infer Registered }
  ? CreatedBy<Registered>
  : Register extends { readonly files: { readonly services: infer File } }
    ? CreatedBy<DefaultOf<File>>
    : UnregisteredServices;

type CreatedBy<Registered> = Registered extends (...context: never) => infer Created
  ? Awaited<Created>
  : Registered;

/** The type of `ctx.env`: the output of the config's `env` schema; no members while `Register` declares no config. */
export type EnvValues = Register extends { readonly config: infer Registered }
  ? EnvOf<Registered>
  : Register extends { readonly files: { readonly config: infer File } }
    ? // The type of an exported schema does not depend on the functions of the settings, which may need `services`.
      EnvOf<File extends { readonly env: z.ZodType } ? File : DefaultOf<File>>
    : UnregisteredEnv;

type EnvOf<Registered> = Registered extends { readonly env?: infer Schema }
  ? NonNullable<Schema> extends z.ZodType
    ? Readonly<z.output<NonNullable<Schema>>>
    : Readonly<Record<never, never>>
  : Readonly<Record<never, never>>;

export type DefaultOf<File> = File extends { readonly default: infer Value } ? Value : unknown;

/** Services are typed by `.virgule/types.d.ts`, which `virgule dev` writes: https://virgule.dev/guide/services */
export interface UnregisteredServices {}

/** Variables are declared in `virgule.config.ts`, and typed by `.virgule/types.d.ts`, which `virgule dev` writes: https://virgule.dev/guide/configuration */
export interface UnregisteredEnv {}
