import { isRecord } from '@virgule/core/objects';
import { createChannelHandle, type ChannelHandle } from '../context/channel-handle.js';
import { createContextClock } from '../context/context-clock.js';
import { createContextLog } from '../context/context-log.js';
import type { EventContext } from '../context/event-context.js';
import { toParts } from '../define/answer.js';
import { scopeOf } from '../interaction/lifetime.js';
import type { BotEnvironment } from './bot-environment.js';

/** What is delivered to the handlers of an event. */
export interface Delivery {
  readonly data: unknown;
  readonly channelId: string | undefined;
  /** Whether it was read back after a gap. */
  readonly recovered: boolean;
}

/** Returns a function that creates the contexts of handlers; the signal ends their calls. */
export function createEventContexts(env: BotEnvironment, signal: AbortSignal) {
  const { rest, random } = env;
  const lifetime = scopeOf(signal);
  const clock = createContextClock(env.clock, lifetime);
  const log = createContextLog(env.log);
  const channel = (id: string): ChannelHandle => createChannelHandle(id, env, lifetime);

  return (event: string, { data, channelId, recovered }: Delivery): EventContext<unknown> => {
    const here = channelId === undefined ? undefined : channel(channelId);
    return {
      data,
      recovered,
      here,
      reply: here && ((input) => here.send({ replyTo: messageOf(event, data), ...toParts(input) })),
      append: here && ((source) => here.append(source, { replyTo: messageOf(event, data) })),
      channel,
      services: env.services,
      env: env.envValues,
      rest,
      log,
      signal,
      clock,
      random,
    };
  };
}

/** Returns the id of the message that an event is about, if it exists. */
function messageOf(event: string, data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  if (event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE') return textOf(data['id']);
  return event.startsWith('MESSAGE_REACTION_') ? textOf(data['messageId']) : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
