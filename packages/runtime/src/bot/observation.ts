import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { BotObserver, CommandStart } from './bot-observer.js';

/** All observers of a bot as one, which never throws. */
export interface Observation extends Required<Omit<BotObserver, 'passing' | 'ended'>> {
  // `undefined` if no observer has it, so that a bot without observers does nothing for them.
  readonly passing: BotObserver['passing'];
  readonly ended: BotObserver['ended'];
}

/** Combines observers; the first one is the outermost. */
export function observe(observers: readonly BotObserver[], log: Log): Observation {
  /** Returns a function that calls one method of all observers, whatever one of them throws. */
  function notifier<Name extends 'connecting' | 'status' | 'ended'>(name: Name) {
    type Notice = Parameters<NonNullable<BotObserver[Name]>>[0];
    // The method of one name takes the notice of that name.
    const listeners = observers.flatMap((observer) => observer[name] ?? []) as ((
      notice: Notice,
    ) => void)[];
    return (notice: Notice): void => {
      for (const listener of listeners) {
        try {
          listener(notice);
        } catch (error) {
          log.error({ err: readableError(error) }, `an observer threw in "${name}"`);
        }
      }
    };
  }

  const wrappers = observers.flatMap(({ around }) => around ?? []);
  // One trace continues in the other process.
  const [pass] = observers.flatMap((observer) => observer.passing ?? []);
  return {
    passing:
      pass &&
      ((start) => {
        try {
          return pass(start);
        } catch (error) {
          log.error({ err: readableError(error) }, 'an observer threw in "passing"');
          return undefined;
        }
      }),
    connecting: notifier('connecting'),
    status: notifier('status'),
    ended: observers.some((observer) => observer.ended) ? notifier('ended') : undefined,
    around(start, run) {
      let next = run;
      for (const wrapper of wrappers.toReversed()) next = guarded(wrapper, start, next, log);
      return next();
    },
  };
}

/** Wraps an observer so that the command runs once and is waited for, whatever the observer does. */
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
        'an observer threw in "around"',
      );
    }
    await once();
  };
}
