import type { MessageEvent } from '@virgule/core/protocol';
import type { Duration } from '../define/duration.js';
import { createListener, type Waiter } from './listener.js';
import { actorOf } from './waits.js';
import { listensTo, type Who } from './who.js';

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
  const { within, filter = () => true, channelId } = options;
  const listen = createListener(
    { call: 'waitForMessage()', events: ['MESSAGE_CREATE'], within, channelId },
    waiter,
  );
  const isExpected = listensTo(options, 'from');
  const { next, close } = listen((received) => {
    if (received.event !== 'MESSAGE_CREATE' || !isExpected(actorOf(received))) return undefined;
    if (!filter(received.data)) return undefined;
    close();
    return received.data;
  });
  return next();
}
