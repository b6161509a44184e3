import { inspect } from 'node:util';
import type { Clock } from '@virgule/core/clock';
import { readDuration } from '../../errors/read-duration.js';
import type { BotEnvironment } from '../environment.js';
import type { CommandContext } from './command-context.js';
import type { CallScope, Lifetime } from '../lifetime.js';
import type { ContextClock } from './shared-context.js';

/** Maximum sleep of `Clock` in milliseconds: about 25 days. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/** Creates the clock of a handler. A stop of the scope ends its sleeps. */
export const createContextClock = (clock: Clock, scope: CallScope): ContextClock => ({
  now: () => clock.now(),
  async sleep(duration) {
    let leftMs: number = readDuration(duration);
    await scope.during(async (signal) => {
      for (; leftMs > MAX_SLEEP_MS; leftMs -= MAX_SLEEP_MS)
        await clock.sleep(MAX_SLEEP_MS, { signal });
      await clock.sleep(leftMs, { signal });
    });
  },
});

/** Functions that create the members of a context from its source, such as a run. */
type Members<Source, Context> = {
  readonly [Name in keyof Context]: (source: Source) => Context[Name];
};

/** The object behind a context, with the members that were read or assigned as its properties. */
class Target<Source> {
  [member: string | symbol]: unknown;
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  static sourceOf<Each>(target: Target<Each>): Each {
    return target.#source;
  }

  /** Shows a context with its members. */
  [inspect.custom](): object {
    return Object.assign({}, this);
  }
}

/**
 * Returns a function that creates contexts, whose members are created when they are read: a handler reads a few of about 25
 * members. The members can be destructured, and a copy of a context has all of them.
 *
 * @param setKnown - sets the members that almost every handler reads.
 */
export function contextsOf<Source, Context extends object, Known extends keyof Context = never>(
  members: Members<Source, Omit<Context, Known>>,
  setKnown?: (target: Record<Known, unknown>, source: Source) => void,
): (source: Source) => Context {
  const create: ReadonlyMap<string | symbol, (source: Source) => unknown> = new Map(
    Object.entries(members),
  );
  // An assignment takes a quarter of the time of `Object.defineProperty`.
  const read = (target: Target<Source>, key: string | symbol): unknown => {
    const known = target[key];
    if (known !== undefined || Object.hasOwn(target, key)) return known;
    const made = create.get(key)?.(Target.sourceOf(target));
    if (made !== undefined) target[key] = made;
    return made;
  };
  /** Makes a member a property, also if its value is `undefined`. */
  const ownMember = (target: Target<Source>, key: string | symbol): boolean =>
    Object.hasOwn(target, key) || Reflect.set(target, key, read(target, key));
  const handler: ProxyHandler<Target<Source>> = {
    get: read,
    has: (target, key) => create.has(key) || key in target,
    ownKeys: (target) => [...new Set([...create.keys(), ...Reflect.ownKeys(target)])],
    getOwnPropertyDescriptor(target, key) {
      if (create.has(key)) ownMember(target, key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    preventExtensions(target) {
      for (const key of create.keys()) ownMember(target, key);
      return Reflect.preventExtensions(target);
    },
  };
  return (source) => {
    // The handler creates the members of the type.
    const target = new Target(source) as Target<Source> & Context;
    setKnown?.(target, source);
    return new Proxy<typeof target>(target, handler);
  };
}

/** The members that the contexts of commands, events and tasks share, by the environment and the lifetime of a run. */
export const HANDLER_MEMBERS = {
  fetchAttachment:
    ({ env: { rest, attachmentHosts: hosts }, lifetime }) =>
    (url, options) =>
      // The signal is read when the download begins.
      rest.attachments.download(url, { ...options, hosts, signal: lifetime.signal }),
  services: ({ env }) => env.services,
  env: ({ env }) => env.envValues,
  storage: ({ env }) => env.storage,
  tasks: ({ env }) => env.tasks,
  voice: ({ env }) => env.voice.voice,
  rest: ({ env }) => env.rest,
  clock: ({ env, lifetime }) => createContextClock(env.clock, lifetime),
  random: ({ env }) => env.random,
  me: ({ env }) => env.me,
  signal: ({ lifetime }) => lifetime.signal,
} satisfies Partial<
  Members<
    { readonly env: BotEnvironment; readonly lifetime: CallScope & Pick<Lifetime, 'signal'> },
    CommandContext
  >
>;
