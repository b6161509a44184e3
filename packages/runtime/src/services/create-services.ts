import type { Clock } from '@virgule/core/clock';
import {
  errorText,
  isVirguleError,
  readableError,
  type SourceLocation,
} from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { createContextLog } from '../context/context-log.js';
import { createContextClock } from '../context/context-clock.js';
import type { CreateServices } from '../define/define-services.js';
import type { Services } from '../define/register.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { raceAbort } from '../interaction/answer-stream.js';
import { scopeOf } from '../interaction/lifetime.js';
import { disposalOf } from './disposal-of.js';

export interface CreateServicesOptions {
  /** What makes them. */
  readonly create: CreateServices;
  /** The file it comes from, for messages. */
  readonly file: string;
  readonly env: Readonly<Record<string, unknown>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  /** Takes secrets out of a text. @defaultValue leaves it as it is */
  readonly redact?: ((text: string) => string) | undefined;
  /** Where in the sources an error came from. @defaultValue names the file alone */
  readonly placeOf?: ((error: unknown) => SourceLocation | undefined) | undefined;
}

/** The services of a bot, from their creation to their end. */
export interface ServicesRun {
  /**
   * What was made. Rejects with VirguleError `E_SERVICES_FAILED` or `E_SERVICES_INVALID` when it could
   * not be; whatever was made by then is disposed.
   */
  readonly created: Promise<Services>;
  /** Disposes what was made, the last first; while it is being made, gives it up. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long services may take to be made. Until then the bot answers nothing. */
export const CREATE_MAX_MS = 60_000;
/** How long they may take to be disposed, all together. */
export const DISPOSE_MAX_MS = 5_000;

interface Disposal {
  readonly name: string;
  readonly dispose: () => unknown;
}

export function createServices(options: CreateServicesOptions): ServicesRun {
  const { create, file, env, log, clock, random } = options;
  const { redact = (text) => text, placeOf = () => undefined } = options;
  const abort = new AbortController();
  const stack: Disposal[] = [];
  const seen = new Set<unknown>();
  let disposing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const running = new Promise<unknown>((resolve) => {
    resolve(
      create({
        env,
        log: createContextLog(log),
        clock: createContextClock(clock, scopeOf(abort.signal)),
        random,
        signal: abort.signal,
        onDispose: (callback) => own({ name: 'onDispose', dispose: callback }),
      }),
    );
  });

  /** Keeps something to be disposed; at once when that has begun already. */
  function own(disposal: Disposal): void {
    if (disposing) void disposeOne(disposal);
    else stack.push(disposal);
  }

  function ownMembers(made: object): void {
    for (const [name, value] of Object.entries(made)) {
      const dispose = disposalOf(value);
      if (!dispose || seen.has(value)) continue;
      seen.add(value);
      own({ name, dispose });
    }
  }

  async function disposeOne({ name, dispose }: Disposal): Promise<void> {
    try {
      await dispose();
    } catch (error) {
      log.error(
        { service: name, file, err: readableError(error) },
        `${name} of ${file} could not be disposed.`,
      );
    }
  }

  async function disposeEach(): Promise<void> {
    for (const disposal of stack.toReversed()) await disposeOne(disposal);
  }

  async function disposeInTime(): Promise<void> {
    const done = new AbortController();
    const tooLate = clock.sleep(DISPOSE_MAX_MS, { signal: done.signal }).then(
      () => log.warn({ file }, `The services of ${file} took too long to be disposed.`),
      () => {},
    );
    await Promise.race([disposeEach().finally(() => done.abort()), tooLate]);
  }

  const disposeAll = (): Promise<void> => (disposing ??= disposeInTime());

  async function make(): Promise<Services> {
    const timer = clock.setTimeout(
      () => abort.abort(new Error(`not made within ${CREATE_MAX_MS / 1_000} s`)),
      CREATE_MAX_MS,
    );
    try {
      const made = await raceAbort(running, abort.signal);
      if (!isPlainObject(made)) {
        throw runtimeErrors.E_SERVICES_INVALID(
          { file, want: 'give an object of services', saw: typeName(made) },
          { location: { file } },
        );
      }
      ownMembers(made);
      // The types know it by `Register`.
      return made as Services;
    } catch (error) {
      abort.abort(error);
      await disposeAll();
      // It may yet come to its end, with nobody left to take what it made.
      running.then((late) => isPlainObject(late) && ownMembers(late)).catch(() => {});
      throw closing ? error : failure(readableError(error));
    } finally {
      timer.cancel();
    }
  }

  function failure(error: unknown): unknown {
    if (isVirguleError(error, 'E_SERVICES_INVALID')) return error;
    const reason = redact(errorText(error));
    return runtimeErrors.E_SERVICES_FAILED(
      { file, reason },
      { cause: error, location: placeOf(error) ?? { file } },
    );
  }

  const created = make();
  // Whoever needs them is told; nobody may.
  created.catch(() => {});

  async function shut(): Promise<void> {
    abort.abort();
    await created.catch(() => {});
    await disposeAll();
  }
  const close = (): Promise<void> => (closing ??= shut());
  return { created, close, [Symbol.asyncDispose]: close };
}

/** Services that exist already and belong to somebody else; nothing when there are none. */
export function givenServices(services: object = {}): ServicesRun {
  const close = async (): Promise<void> => {};
  // The types know them by `Register`.
  return {
    created: Promise.resolve(services as Services),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? `a ${value.constructor.name}` : `a ${typeof value}`;
}
