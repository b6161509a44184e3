import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { Profile } from '@virgule/core/protocol';

/** Shows that the bot is typing, once when it is called. */
export interface Typing {
  /** Shows it; it fades after a few seconds. Endpoint 11. */
  (): Promise<void>;
  /**
   * Shows it for as long as some work takes, and gives what the work gives. Showing it again and
   * again is not worth an error: when the platform refuses, the work goes on without.
   */
  readonly during: <Result>(work: PromiseLike<Result> | (() => Result)) => Promise<Awaited<Result>>;
}

export interface TypingOptions {
  readonly rest: Rest;
  /** Read only when it is needed: it may be made then. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly profile: Pick<Profile, 'typingMs'>;
}

/** It is shown again when this much of its time has passed. */
const AGAIN_AFTER = 0.6;

export function createTyping(channelId: string, options: TypingOptions): Typing {
  const typing = (): Promise<void> =>
    options.rest.channels.typing(channelId, { signal: options.signal });
  typing.during = <Result>(work: PromiseLike<Result> | (() => Result)) =>
    during(work, typing, options);
  return typing;
}

async function during<Result>(
  work: PromiseLike<Result> | (() => Result),
  show: () => Promise<void>,
  options: TypingOptions,
): Promise<Awaited<Result>> {
  const { signal } = options;
  const over = new AbortController();
  const onAbort = (): void => over.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (!signal.aborted) void repeat(show, over.signal, options);
  try {
    return await (typeof work === 'function' ? work() : work);
  } finally {
    signal.removeEventListener('abort', onAbort);
    over.abort();
  }
}

async function repeat(
  show: () => Promise<void>,
  until: AbortSignal,
  { clock, profile }: TypingOptions,
): Promise<void> {
  try {
    while (!until.aborted) {
      await show();
      await clock.sleep(profile.typingMs * AGAIN_AFTER, { signal: until });
    }
  } catch {
    // The work is over, or the indicator is not to be had.
  }
}
