import { linkSignals, type LinkedController } from '@virgule/core/abort';
import { TYPING_MS } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import type { CallScope } from '../lifetime.js';
import type { Typing } from './shared-context.js';

/** It is shown again when this share of its time has passed. */
const AGAIN_AFTER = 0.6;

export function createTyping(channelId: string, env: BotEnvironment, lifetime: CallScope): Typing {
  const show = (signal: AbortSignal): Promise<void> =>
    env.rest.channels.typing(channelId, { signal });
  const typing = (): Promise<void> => lifetime.during(show);
  typing.during = async <Result>(
    work: PromiseLike<Result> | (() => Result),
  ): Promise<Awaited<Result>> => {
    const done = new AbortController();
    void lifetime
      .during((stop) => repeat(show, linkSignals(stop, done.signal), env))
      .catch(() => {});
    try {
      return await (typeof work === 'function' ? work() : work);
    } finally {
      done.abort();
    }
  };
  return typing;
}

/** Shows it again and again until the work is done, the scope is stopped or the platform refuses. */
async function repeat(
  show: (signal: AbortSignal) => Promise<void>,
  link: LinkedController,
  { clock }: BotEnvironment,
): Promise<void> {
  const { signal } = link;
  try {
    while (!signal.aborted) {
      await show(signal);
      await clock.sleep(TYPING_MS * AGAIN_AFTER, { signal });
    }
  } finally {
    link.unlink();
  }
}
