import { createChannelHandle } from '../context/channel-handle.js';
import { createContextClock } from '../context/context-clock.js';
import { createContextLog } from '../context/context-log.js';
import { createEventContext, type EventContextInit } from '../context/create-event-context.js';
import type { EventContext } from '../context/event-context.js';
import type { EventListener } from '../load/project.js';
import { scopeOf } from '../interaction/lifetime.js';
import type { BotEnvironment } from './bot-environment.js';

/** What is delivered to the handlers of an event. */
export type Delivery = Pick<EventContextInit, 'data' | 'channelId' | 'recovered'>;

/** Returns a function that creates the contexts of handlers. The signal ends their calls. */
export function createEventContexts(env: BotEnvironment, signal: AbortSignal) {
  const lifetime = scopeOf(signal);
  const shared: Pick<EventContextInit, 'log' | 'signal' | 'clock' | 'channel'> = {
    log: createContextLog(env.log),
    signal,
    clock: createContextClock(env.clock, lifetime),
    channel: (id) => createChannelHandle(id, env, lifetime),
  };
  return (
    listener: EventListener,
    { data, channelId, recovered }: Delivery,
  ): EventContext<unknown> =>
    createEventContext(env, { listener, data, channelId, recovered, ...shared });
}
