import type { MessageEvent } from '@virgule/core/protocol';
import type { Duration } from '../../text/duration.js';
import { createListener, type Waiter, type Who } from './listener.js';

/** Options of `waitForMessage`. */
export interface WaitForMessageOptions {
  /**
   * Whose message counts. An explicit `undefined` is no one.
   *
   * @defaultValue `'anyone'`, which is anyone but this bot: the platform does not say who ran the command
   */
  readonly from?: Who;
  /** How long it waits. */
  readonly within: Duration;
  /**
   * Decides which messages count, such as those with a number; others are ignored.
   *
   * @defaultValue all
   */
  readonly filter?: ((message: MessageEvent) => boolean) | undefined;
  /** Id of another channel to wait in. @defaultValue the channel of the command */
  readonly channelId?: string | undefined;
}

/** Waits for the next message in the channel of the command; resolves to `null` if none arrives in time. */
export async function waitForMessage(
  options: Partial<WaitForMessageOptions> = {},
  waiter: Waiter,
): Promise<MessageEvent | null> {
  const { filter = () => true } = options;
  const listen = createListener('waitForMessage()', ['MESSAGE_CREATE'], options, waiter);
  const { next, close } = listen(({ data }) => {
    if (!filter(data)) return undefined;
    close();
    return data;
  });
  return next();
}
