import type { MessageEvent } from '@virgule/core/protocol';
import type { Duration } from '../define/duration.js';
import { createListener, type WaitTools } from './listener.js';
import { actorOf } from './waits.js';
import { listensTo, type Who } from './who.js';

export interface WaitForMessageOptions {
  /**
   * Whose message is meant.
   *
   * @defaultValue `'anyone'`, which is anyone but this bot: the platform does not say who ran the command
   */
  readonly from?: Who | undefined;
  /** How long it waits. */
  readonly within: Duration;
}

/** Waits for the next message in the channel of the command; gives `null` when none comes in time. */
export async function waitForMessage(
  { from, within }: WaitForMessageOptions,
  tools: WaitTools,
): Promise<MessageEvent | null> {
  const listener = createListener('waitForMessage()', ['MESSAGE_CREATE'], within, tools);
  const isMeant = listensTo(from);
  return new Promise((resolve, reject) => {
    const wait = listener.listen({
      onEvent(heard) {
        if (heard.event !== 'MESSAGE_CREATE' || !isMeant(actorOf(heard))) return;
        wait.close();
        resolve(heard.data);
      },
      onEnd: (reason) => (reason ? reject(reason.error) : resolve(null)),
    });
  });
}
