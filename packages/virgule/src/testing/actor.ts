import type { Actions, Place } from './create-actions.js';
import type { RunOptions, TestActor } from './test-bot.js';
import { withHints } from './with-hint.js';

/** Returns the actions of a user in a channel, on the process of the bot that runs when they begin. */
export function createActor(actions: () => Actions, place: Place = {}): TestActor {
  const act = <Result>(call: (actions: Actions) => Promise<Result>): Promise<Result> =>
    withHints(() => call(actions()), actions().failed);
  return {
    as: (user) => createActor(actions, { ...place, as: user }),
    in: (channel) => createActor(actions, { ...place, channel }),
    run: (line: string, values?: Readonly<Record<string, unknown>>, options?: RunOptions) =>
      act(({ run }) => run(place, line, values, options)),
    say: (content) => act(({ send }) => send(place, content)),
    attach: (file, content = '') => act(({ send }) => send(place, content, [file].flat())),
    react: (emoji, to) => act(({ react }) => react(place, emoji, to)),
  };
}
