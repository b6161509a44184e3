import { isRecord } from '@virgule/core/objects';
import type { BotEnvironment } from '../bot/bot-environment.js';
import { toParts } from '../define/answer.js';
import type { EventListener } from '../load/project.js';
import { confirm } from '../waits/confirm.js';
import type { Waiter } from '../waits/listener.js';
import { paginate } from '../waits/paginate.js';
import { reactions } from '../waits/reactions.js';
import { waitForMessage } from '../waits/wait-for-message.js';
import type { ChannelHandle } from './channel-handle.js';
import type { ContextClock } from './context-clock.js';
import type { ContextLog } from './context-log.js';
import type { EventContext } from './event-context.js';

/** What belongs to one event and one handler. */
export interface EventContextInit {
  readonly listener: Pick<EventListener, 'event' | 'file' | 'intents'>;
  readonly data: unknown;
  readonly channelId: string | undefined;
  readonly recovered: boolean;
  readonly log: ContextLog;
  /** Aborted when the handler is to end. */
  readonly signal: AbortSignal;
  readonly clock: ContextClock;
  readonly channel: (id: string) => ChannelHandle;
}

export function createEventContext(
  env: BotEnvironment,
  init: EventContextInit,
): EventContext<unknown> {
  const { listener, data, channelId, recovered, log, signal, clock, channel } = init;
  const here = channelId === undefined ? undefined : channel(channelId);
  return {
    event: listener.event,
    data,
    recovered,
    here,
    channel,
    services: env.services,
    env: env.envValues,
    rest: env.rest,
    log,
    signal,
    clock,
    random: env.random,
    ...(here ? callsIn(here, env, init) : NO_CALLS),
  };
}

/** Returns the calls that need the channel of the event. */
function callsIn(here: ChannelHandle, env: BotEnvironment, init: EventContextInit) {
  const { data, signal } = init;
  const { event, file, intents } = init.listener;
  const replyTo = messageOf(event, data);
  const reply: EventContext<Located>['reply'] = (input) =>
    here.send({ replyTo, ...toParts(input) });
  const waiter: Waiter = { env, owner: file, file, intents, channelId: here.id, signal, reply };
  return {
    reply,
    append: (source) => here.append(source, { replyTo }),
    confirm: async (question, options = {}) => confirm(question, options, waiter),
    waitForMessage: async (options) => waitForMessage(options, waiter),
    reactions: (message, options) => reactions(message, options, waiter),
    paginate: async (pages, options = {}) => paginate(pages, options, waiter),
  } satisfies Partial<EventContext<Located>>;
}

type Located = { readonly channelId: string };

const NO_CALLS = {
  reply: undefined,
  append: undefined,
  confirm: undefined,
  waitForMessage: undefined,
  reactions: undefined,
  paginate: undefined,
};

/** Returns the id of the message that an event is about, if it exists. */
function messageOf(event: string, data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  if (event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE') return textOf(data['id']);
  return event.startsWith('MESSAGE_REACTION_') ? textOf(data['messageId']) : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
