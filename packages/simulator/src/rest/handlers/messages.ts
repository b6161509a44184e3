// Endpoints 5 to 11.
import type { MessageContext, MessagePage } from '@virgule/core/protocol';
import { pageBack, windowAround } from '../../world/history.js';
import { messageView } from '../../world/message-view.js';
import { deleteMessage, editMessage, sendMessage } from '../../world/messages.js';
import { notFound } from '../../world/refusal.js';
import { channelOf, messageOf, type Call, type Handlers } from '../call.js';
import { writtenMessage } from '../not-shown.js';

export const messageHandlers = {
  'messages.list': (call) => listMessages(call),
  'messages.send': (call) => {
    const { content, replyToMessageId, attachments } = call.body;
    const message = sendMessage(call.world, {
      channel: channelOf(call),
      authorId: call.caller.id,
      content,
      replyToMessageId,
      attachments,
    });
    return writtenMessage(call, message);
  },
  'messages.delete': (call) => deleteMessage(call.world, messageOf(call).message),
  'messages.get': (call) => messageView(call.world, messageOf(call).message, call.caller.id),
  'messages.edit': (call) => {
    const { message } = messageOf(call);
    return writtenMessage(call, editMessage(call.world, message, call.body.content));
  },
  'messages.context': (call) => messageContext(call),
  'channels.typing': (call) => {
    const { id } = channelOf(call);
    call.world.emit({ type: 'typing.started', channelId: id, userId: call.caller.id });
  },
} satisfies Partial<Handlers>;

/** Returns a page, newest first. A deleted message may be in `before` but not in a page (both assumed). */
function listMessages(call: Call<'messages.list'>): MessagePage {
  const { world, query, caller } = call;
  const channel = channelOf(call);
  const before = query.before === undefined ? undefined : world.state.messages.get(query.before);
  if (query.before !== undefined && before?.channelId !== channel.id) {
    throw notFound('message', query.before);
  }
  const { messages, hasMore } = pageBack(world.state.histories.get(channel.id) ?? [], {
    before,
    limit: Math.min(query.limit, world.profile.pageMax),
    withDeleted: false,
  });
  return {
    messages: messages.map((message) => messageView(world, message, caller.id)),
    hasMore,
    oldestId: messages.at(-1)?.id ?? null,
  };
}

/** Returns the messages around a message and itself, oldest first (assumed). */
function messageContext(call: Call<'messages.context'>): MessageContext {
  const { world, query, caller } = call;
  const { channel, message } = messageOf(call);
  const found = windowAround(world.state.histories.get(channel.id) ?? [], message, {
    before: Math.min(query.before, world.profile.pageMax),
    after: Math.min(query.after, world.profile.pageMax),
  });
  return {
    serverId: channel.serverId,
    channelId: channel.id,
    messageId: message.id,
    messages: found.messages.map((each) => messageView(world, each, caller.id)),
    hasOlder: found.hasOlder,
    hasNewer: found.hasNewer,
  };
}
