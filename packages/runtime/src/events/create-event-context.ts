import { isRecord } from '@virgule/core/objects';
import type { BotEnvironment } from '../command/environment.js';
import type { HandlerRun } from './handler-run.js';
import type { Answerable } from '../command/loop-guard.js';
import { toParts, type MessageInput } from '../command/answer/answer.js';
import { scopeOf } from '../command/lifetime.js';
import type { EventListener } from './event-listener.js';
import type { Waiter } from '../command/waits/listener.js';
import { confirm, paginate, reactions, waitForMessage } from '../command/waits/wait-calls.js';
import { Channel, channelsOf } from '../command/context/channel-handle.js';
import { addSignal, BoundClock, fetchAttachments } from '../command/context/context-members.js';
import { BoundLog } from '../command/context/context-log.js';
import type { EventContext } from './event-context.js';

/** An event, as it is delivered to its handlers. */
export interface Delivery extends Answerable {
  readonly data: unknown;
  /** `true` if the event was missed during a gap, and read back later. */
  readonly recovered: boolean;
  /** `true` if the bot itself caused the event. */
  readonly isOwn: boolean;
}

/** Returns a function that creates contexts of handlers. A handler can still send a final message after its signal is aborted. */
export function createEventContexts(env: BotEnvironment) {
  const scope = scopeOf(env.ending);
  const log = new BoundLog(env.log);

  return (
    listener: EventListener,
    { data, channelId, recovered }: Pick<Delivery, 'data' | 'channelId' | 'recovered'>,
    run: HandlerRun,
  ): EventContext<unknown> => {
    const { event, file, intents, timeoutMs } = listener;
    const { lifetime } = run;
    const here =
      channelId === undefined
        ? undefined
        : new Channel(channelId, env, scope, { streams: lifetime, run });
    const reply =
      here &&
      ((input: MessageInput) => here.send({ replyTo: messageOf(event, data), ...toParts(input) }));
    // Created on use: few handlers wait for users.
    const waiter =
      reply &&
      ((): Waiter => {
        const { signal } = lifetime;
        return { env, owner: file, file, intents, channelId: here.id, signal, reply, timeoutMs };
      });
    const context: Omit<EventContext<unknown>, 'signal'> = {
      event,
      data,
      recovered,
      here,
      channel: channelsOf(env, scope, { streams: lifetime }),
      fetchAttachment: fetchAttachments(env, lifetime),
      services: env.services,
      env: env.envValues,
      storage: env.storage,
      tasks: env.tasks,
      voice: env.voice.voice,
      rest: env.rest,
      log,
      clock: new BoundClock(env.clock, lifetime),
      random: env.random,
      reply,
      append: here && ((source) => here.append(source, { replyTo: messageOf(event, data) })),
      confirm: waiter && (async (question, options = {}) => confirm(question, options, waiter())),
      waitForMessage: waiter && (async (options) => waitForMessage(options, waiter())),
      reactions: waiter && ((message, options) => reactions(message, options, waiter())),
      paginate: waiter && (async (pages, options = {}) => paginate(pages, options, waiter())),
    };
    return addSignal(context, lifetime);
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
