import { type Clock, settlesWithin } from '@virgule/core/clock';
import {
  errorText,
  isVirguleError,
  readableError,
  type SourceLocation,
} from '@virgule/core/errors';
import { raceAbort } from '@virgule/core/abort';
import type { Log } from '@virgule/core/log';
import { resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import { describeSeen, isObject, isPlainObject } from '@virgule/core/objects';
import { Activity } from '../command/activity.js';
import { channelsOf } from '../command/context/channel-handle.js';
import { createContextLog } from '../command/context/context-log.js';
import { createContextClock } from '../command/context/context-members.js';
import type { BotContext } from '../command/context/shared-context.js';
import { userRef, type UserRef } from '../options/references.js';
import type { CreateServices, ServicesContext } from './define-services.js';
import { Leadership } from './leadership.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { Services } from '../command/register.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { scopeOf } from '../command/lifetime.js';

export interface CreateServicesOptions extends Omit<BotContext, 'log' | 'clock' | 'channel'> {
  readonly create: CreateServices;
  /** File of the function, for messages. */
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly profile?: ProfileSettings | undefined;
  /** Storage in which the processes of the bot agree on a leader. @defaultValue the bot has one process */
  readonly leaders?: StorageConnection | undefined;
  /** @defaultValue `'all'` */
  readonly role?: ServicesContext['role'] | undefined;
  /** Removes secrets from a text. @defaultValue removes nothing */
  readonly redact?: ((text: string) => string) | undefined;
  /** Returns the place in the sources at which an error was thrown. @defaultValue the file alone */
  readonly placeOf?: ((error: unknown) => SourceLocation | undefined) | undefined;
}

/** The services of a bot, from their creation to their disposal. */
export interface ServicesRun {
  /** Resolves to the services; rejects with `E_SERVICES_FAILED` or `E_SERVICES_INVALID`, after the others were disposed. */
  readonly created: Promise<Services>;
  /** Disposes the services in reverse order, and cancels their creation. Never rejects. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Maximum time to create services, in milliseconds. The bot answers nothing during that time. */
export const CREATE_TIMEOUT_MS = 60_000;
/** Maximum time to dispose all services, in milliseconds. */
export const DISPOSE_TIMEOUT_MS = 5_000;

export function createServices(options: CreateServicesOptions): ServicesRun {
  const { create, file, log, clock, redact = (text) => text, placeOf } = options;
  const { env, rest, random, storage, tasks, voice, role = 'all', leaders = null } = options;
  const abort = new AbortController();
  /** Functions that dispose the services, by owner, called in reverse order. */
  const disposals = new Map<unknown, () => Promise<void>>();
  let disposing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const scope = scopeOf(abort.signal);
  const profile = resolveProfile(options.profile);
  const sending = { rest, clock, random, profile, log, activity: new Activity() };
  const leadership = new Leadership({ clock, log, signal: abort.signal, storage: leaders });
  let me: Promise<UserRef> | undefined;
  const running: Promise<unknown> = (async () =>
    create({
      env,
      rest,
      random,
      storage,
      tasks,
      voice,
      log: createContextLog(log),
      channel: channelsOf(sending, scope, { owner: file }),
      me() {
        me ??= rest.users.me().then(({ botUserId }) => userRef(botUserId));
        // The next call asks again.
        me.catch(() => (me = undefined));
        return me;
      },
      role,
      whileLeading: (work) => leadership.whileLeading(work),
      clock: createContextClock(clock, scope),
      signal: abort.signal,
      onDispose: (callback) => own('onDispose', {}, callback),
    }))();

  /** Registers a disposal; disposes at once if the disposal of the services has begun already. */
  function own(name: string, owner: unknown, dispose: () => unknown): void {
    const run = async (): Promise<void> => {
      try {
        await dispose();
      } catch (error) {
        const message = `${name} of ${file} could not be disposed`;
        log.error({ service: name, file, err: readableError(error) }, message);
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
    await leadership.close();
    for (const dispose of [...disposals.values()].toReversed()) await dispose();
  }

  const disposeAll = (): Promise<void> =>
    (disposing ??= settlesWithin(disposeEach(), DISPOSE_TIMEOUT_MS, clock).then((isInTime) => {
      if (!isInTime) log.warn({ file }, `the services of ${file} took too long to be disposed`);
    }));

  async function make(): Promise<Services> {
    const timer = clock.setTimeout(
      () => abort.abort(new Error(`not created within ${CREATE_TIMEOUT_MS / 1_000} s`)),
      CREATE_TIMEOUT_MS,
    );
    try {
      const made = await raceAbort(running, abort.signal);
      if (!isPlainObject(made)) {
        // A string may be a secret, such as an address with a password.
        const saw = typeof made === 'string' ? 'a string' : describeSeen(made);
        const details = { file, want: 'return an object of services', saw };
        throw runtimeErrors.E_SERVICES_INVALID(details, { location: { file } });
      }
      ownMembers(made);
      return made;
    } catch (error) {
      abort.abort(error);
      await disposeAll();
      // The creation may still complete: its result is disposed then.
      running.then((late) => isPlainObject(late) && ownMembers(late)).catch(() => {});
      if (closing || isVirguleError(error, 'E_SERVICES_INVALID')) throw error;
      const cause = readableError(error);
      const at = { cause, location: placeOf?.(cause) ?? { file } };
      const advice = isVirguleError(cause) ? cause.hint : undefined;
      throw runtimeErrors.E_SERVICES_FAILED({ file, reason: redact(errorText(cause)), advice }, at);
    } finally {
      timer.cancel();
    }
  }

  const created = make();
  // Prevents an unhandled rejection if no code awaits the services.
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
  // The caller passes the type that `Register` declares.
  return { created: Promise.resolve(services as Services), close, [Symbol.asyncDispose]: close };
}

/** Returns a function that disposes a value by its `Symbol.asyncDispose`, else `Symbol.dispose`, else `close`; `null` without these. */
function disposalOf(value: unknown): (() => unknown) | null {
  if (!isObject(value) && typeof value !== 'function') return null;
  const methods = [Symbol.asyncDispose, Symbol.dispose, 'close'].map((key) =>
    Reflect.get(value, key),
  );
  const method: unknown = methods.find((each) => each !== undefined && each !== null);
  return typeof method === 'function' ? () => Reflect.apply(method, value, []) : null;
}
