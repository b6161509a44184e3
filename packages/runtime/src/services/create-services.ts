import { type Clock, settlesWithin } from '@virgule/core/clock';
import {
  errorText,
  isVirguleError,
  readableError,
  type SourceLocation,
} from '@virgule/core/errors';
import { raceAbort } from '@virgule/core/abort';
import type { Log } from '@virgule/core/log';
import { isObject, isPlainObject } from '@virgule/core/objects';
import { BoundLog } from '../command/context/context-log.js';
import { BoundClock } from '../command/context/context-members.js';
import type { BotContext } from '../command/context/shared-context.js';
import type { CreateServices } from './define-services.js';
import type { Services } from '../command/register.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { scopeOf } from '../command/lifetime.js';

export interface CreateServicesOptions extends Omit<BotContext, 'log' | 'clock'> {
  /** Creates them. */
  readonly create: CreateServices;
  /** Its file, for messages. */
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Removes secrets from a text. @defaultValue leaves it as it is */
  readonly redact?: ((text: string) => string) | undefined;
  /** Returns where in the sources an error was thrown. @defaultValue names the file alone */
  readonly placeOf?: ((error: unknown) => SourceLocation | undefined) | undefined;
}

/** The services of a bot, from their creation to their end. */
export interface ServicesRun {
  /**
   * Resolves to the services. Rejects with VirguleError `E_SERVICES_FAILED` or `E_SERVICES_INVALID` if they
   * could not be created; those that exist by then are disposed.
   */
  readonly created: Promise<Services>;
  /** Disposes the services, the last first; cancels their creation. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Longest time to create services, in milliseconds. Until then, the bot answers nothing. */
export const CREATE_TIMEOUT_MS = 60_000;
/** Longest time to dispose all of them, in milliseconds. */
export const DISPOSE_TIMEOUT_MS = 5_000;

export function createServices(options: CreateServicesOptions): ServicesRun {
  const { create, file, log, clock, redact = (text) => text, placeOf } = options;
  const { env, rest, random, storage, tasks, voice } = options;
  const abort = new AbortController();
  /** Disposals by what they dispose, the last one first to be called. */
  const disposals = new Map<unknown, () => Promise<void>>();
  let disposing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const running = new Promise<unknown>((resolve) => {
    resolve(
      create({
        env,
        rest,
        random,
        storage,
        tasks,
        voice,
        log: new BoundLog(log),
        clock: new BoundClock(clock, scopeOf(abort.signal)),
        signal: abort.signal,
        onDispose: (callback) => own('onDispose', {}, callback),
      }),
    );
  });

  /** Registers a disposal; disposes at once if that has begun already. */
  function own(name: string, owner: unknown, dispose: () => unknown): void {
    const run = async (): Promise<void> => {
      try {
        await dispose();
      } catch (error) {
        log.error(
          { service: name, file, err: readableError(error) },
          `${name} of ${file} could not be disposed`,
        );
      }
    };
    disposals.set(owner, run);
    if (disposing) void run();
  }

  function ownMembers(made: object): void {
    for (const [name, value] of Object.entries(made)) {
      const dispose = disposalOf(value);
      if (dispose && !disposals.has(value)) own(name, value, dispose);
    }
  }

  async function disposeEach(): Promise<void> {
    for (const dispose of [...disposals.values()].toReversed()) await dispose();
  }

  async function disposeInTime(): Promise<void> {
    if (await settlesWithin(disposeEach(), DISPOSE_TIMEOUT_MS, clock)) return;
    log.warn({ file }, `the services of ${file} took too long to be disposed`);
  }

  const disposeAll = (): Promise<void> => (disposing ??= disposeInTime());

  async function make(): Promise<Services> {
    const timer = clock.setTimeout(
      () => abort.abort(new Error(`not created within ${CREATE_TIMEOUT_MS / 1_000} s`)),
      CREATE_TIMEOUT_MS,
    );
    try {
      const made = await raceAbort(running, abort.signal);
      if (!isPlainObject(made)) {
        throw runtimeErrors.E_SERVICES_INVALID(
          { file, want: 'return an object of services', saw: typeName(made) },
          { location: { file } },
        );
      }
      ownMembers(made);
      return made;
    } catch (error) {
      abort.abort(error);
      await disposeAll();
      // It may still complete: its result is disposed then.
      running.then((late) => isPlainObject(late) && ownMembers(late)).catch(() => {});
      if (closing || isVirguleError(error, 'E_SERVICES_INVALID')) throw error;
      const cause = readableError(error);
      throw runtimeErrors.E_SERVICES_FAILED(
        { file, reason: redact(errorText(cause)) },
        { cause, location: placeOf?.(cause) ?? { file } },
      );
    } finally {
      timer.cancel();
    }
  }

  const created = make();
  // The rejection is for those who wait for the services; there may be none.
  created.catch(() => {});

  const close = (): Promise<void> =>
    (closing ??= (async () => {
      abort.abort();
      await created.catch(() => {});
      await disposeAll();
    })());
  return { created, close, [Symbol.asyncDispose]: close };
}

/** Wraps services that exist already and belong to the caller. @defaultValue no services */
export function givenServices(services: object = {}): ServicesRun {
  const close = async (): Promise<void> => {};
  // Typed by `Register`.
  return {
    created: Promise.resolve(services as Services),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a function that disposes a value: by `Symbol.asyncDispose`, `Symbol.dispose` or `close`, the first it has; `null` if it has none. */
function disposalOf(value: unknown): (() => unknown) | null {
  if (!isObject(value) && typeof value !== 'function') return null;
  const members = value as {
    readonly [Symbol.asyncDispose]?: unknown;
    readonly [Symbol.dispose]?: unknown;
    readonly close?: unknown;
  };
  const method = members[Symbol.asyncDispose] ?? members[Symbol.dispose] ?? members.close;
  return typeof method === 'function' ? () => Reflect.apply(method, value, []) : null;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? `a ${value.constructor.name}` : `a ${typeof value}`;
}
