import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { BotObserver, CommandStart } from './observer.js';

/** All observers of a bot as one, which never throws. */
export interface Observation extends Required<Omit<BotObserver, 'passing'>> {
  /** `undefined` if no observer has it. */
  readonly passing: BotObserver['passing'];
}

/** Combines observers; the first one is the outermost. */
export function observe(observers: readonly BotObserver[], log: Log): Observation {
  const failed = (name: keyof BotObserver, error: unknown, details?: object): void =>
    log.error({ err: readableError(error), ...details }, `an observer threw in "${name}"`);

  function attempt<Result>(name: keyof BotObserver, call: () => Result): Result | undefined {
    try {
      return call();
    } catch (error) {
      failed(name, error);
      return undefined;
    }
  }
  const each = (name: keyof BotObserver, notify: (observer: BotObserver) => void): void => {
    for (const observer of observers) attempt(name, () => notify(observer));
  };

  /** Wraps a command so that it runs once and is waited for, whatever the observer does. */
  const guarded =
    (start: CommandStart) =>
    (run: () => Promise<void>, observer: BotObserver): (() => Promise<void>) =>
    async () => {
      let running: Promise<void> | undefined;
      const once = (): Promise<void> => (running ??= run());
      try {
        await observer.around?.(start, once);
      } catch (error) {
        failed('around', error, { command: start.command });
      }
      await once();
    };
  const wrappers = observers.filter(({ around }) => around).toReversed();
  // One trace continues in the other process.
  const passer = observers.find(({ passing }) => passing);
  return {
    passing: passer && ((start) => attempt('passing', () => passer.passing?.(start))),
    connecting: (parts) => each('connecting', (observer) => observer.connecting?.(parts)),
    status: (status) => each('status', (observer) => observer.status?.(status)),
    ended: (record) => each('ended', (observer) => observer.ended?.(record)),
    around: (start, run) => wrappers.reduce(guarded(start), run)(),
  };
}
