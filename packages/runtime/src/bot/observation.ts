import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { BotObserver, CommandStart } from './bot-observer.js';

/** All observers of a bot as one, which never throws. */
export interface Observation extends Required<BotObserver> {
  /** `undefined` when nobody wants to hear it, so that a bot without observers does nothing for them. */
  readonly onEnded: BotObserver['ended'];
}

/** Puts observers together; the first one is the outermost. */
export function observe(observers: readonly BotObserver[], log: Log): Observation {
  /** Tells everyone, whatever one of them throws. */
  function teller<Name extends 'connecting' | 'status' | 'ended'>(name: Name) {
    type Told = Parameters<NonNullable<BotObserver[Name]>>[0];
    // The method of one name takes what is told under that name.
    const listeners = observers.flatMap((observer) => observer[name] ?? []) as ((
      told: Told,
    ) => void)[];
    return (told: Told): void => {
      for (const tell of listeners) {
        try {
          tell(told);
        } catch (error) {
          log.error({ err: readableError(error) }, `An observer threw at "${name}".`);
        }
      }
    };
  }

  const wrappers = observers.flatMap(({ around }) => around ?? []);
  const ended = teller('ended');
  return {
    connecting: teller('connecting'),
    status: teller('status'),
    ended,
    onEnded: observers.some((observer) => observer.ended) ? ended : undefined,
    around(start, run) {
      let next = run;
      for (const wrapper of wrappers.toReversed()) next = guarded(wrapper, start, next, log);
      return next();
    },
  };
}

/** The command runs once, and is waited for, whatever the observer does. */
function guarded(
  wrapper: NonNullable<BotObserver['around']>,
  start: CommandStart,
  run: () => Promise<void>,
  log: Log,
) {
  return async (): Promise<void> => {
    let running: Promise<void> | undefined;
    const once = (): Promise<void> => (running ??= run());
    try {
      await wrapper(start, once);
    } catch (error) {
      log.error(
        { err: readableError(error), command: start.command },
        'An observer threw around a command.',
      );
    }
    await once();
  };
}
