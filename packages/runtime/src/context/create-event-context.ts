import { isRecord } from '@virgule/core/objects';
import { toParts } from '../define/answer.js';
import type { EventListener } from '../load/project.js';
import { confirm } from '../waits/confirm.js';
import type { WaitTools } from '../waits/listener.js';
import { paginate } from '../waits/paginate.js';
import { reactions } from '../waits/reactions.js';
import { waitForMessage } from '../waits/wait-for-message.js';
import type { Waits } from '../waits/waits.js';
import type { ChannelHandle } from './channel-handle.js';
import type { ContextClock } from './context-clock.js';
import type { ContextLog } from './context-log.js';
import type { ContextServices, EventContext } from './event-context.js';
import type { Provided } from './provided.js';

/** What the contexts of all events share. */
export interface EventContextOptions extends ContextServices {
  readonly provided: Provided;
  readonly waits: Waits;
  readonly contextLog: ContextLog;
}

/** What belongs to one event and one handler. */
export interface EventContextInit {
  readonly listener: Pick<EventListener, 'event' | 'file' | 'intents'>;
  readonly data: unknown;
  readonly channelId: string | undefined;
  readonly recovered: boolean;
  /** Aborted when the handler is to end. */
  readonly signal: AbortSignal;
  readonly clock: ContextClock;
  readonly channel: (id: string) => ChannelHandle;
}

export function createEventContext(
  { listener, data, channelId, recovered, signal, clock, channel }: EventContextInit,
  { provided, waits, contextLog, rest, random, profile, clock: botClock }: EventContextOptions,
): EventContext<unknown> {
  const here = channelId === undefined ? undefined : channel(channelId);
  const { event } = listener;
  return {
    event,
    data,
    recovered,
    here,
    channel,
    services: provided.services,
    env: provided.env,
    rest,
    log: contextLog,
    signal,
    clock,
    random,
    ...(here ? callsIn(here) : NO_CALLS),
  };

  /** The calls that need the channel of the event. */
  function callsIn(channelOfEvent: ChannelHandle) {
    const replyTo = messageOf(event, data);
    const reply: EventContext<Located>['reply'] = (input) =>
      channelOfEvent.send({ replyTo, ...toParts(input) });
    const tools = (): WaitTools => ({
      waits,
      owner: listener.file,
      file: listener.file,
      intents: listener.intents,
      channelId: channelOfEvent.id,
      signal,
      clock: botClock,
      intervalMs: profile.editIntervalMs,
      reply,
    });
    return {
      reply,
      append: (source) => channelOfEvent.append(source, { replyTo }),
      confirm: async (question, options = {}) => confirm(question, options, tools()),
      waitForMessage: async (options) => waitForMessage(options, tools()),
      reactions: (message, options) => reactions(message, options, tools()),
      paginate: async (pages, options = {}) => paginate(pages, options, tools()),
    } satisfies Partial<EventContext<Located>>;
  }
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
