// The handler of each endpoint, in the order of the Bot Interface. Each handler returns the body of the response;
// `undefined` for an empty body. server/files-api.ts transfers the bytes of files; the URL of a voice join is not
// functional.
import {
  UPLOAD_LIFETIME_MS,
  type CreateBotMessageRequest,
  type CreateUploadSessionRequest,
  type EditMessageRequest,
  type EndpointName,
  type InteractionResponseRequest,
  type MessageContextQuery,
  type MessagePageQuery,
  type ReactionMutationRequest,
  type ReactionQuery,
  type SyncCommandItem,
} from '@virgule/core/protocol';
import { botSees, installedServer, requireKind, requireRecord } from '../world/access.js';
import { downloadSignature, openUpload, uploadFields } from '../world/attachments.js';
import { botMe, replaceCommands } from '../world/bots.js';
import { deriveSecret } from '../world/derive.js';
import { pageBack, windowAround } from '../world/history.js';
import * as interactions from '../world/interactions.js';
import {
  messageView,
  reactionDetailsView,
  reactionUpdateView,
  UNKNOWN_FIELDS,
} from '../world/message-view.js';
import { deleteMessage, editMessage, sendMessage } from '../world/messages.js';
import {
  channelView,
  emojiViews,
  participantViews,
  serverView,
  voiceStateView,
} from '../world/place-views.js';
import {
  addReaction,
  clearReactions,
  removeReaction,
  selectReactions,
} from '../world/reactions.js';
import { notFound } from '../world/refusal.js';
import type { MessageRecord } from '../world/state.js';
import { closeIngress, joinVoice, leaveVoice, openIngress, voiceOf } from '../world/voice.js';
import { channelOf, messageOf, parameter, type Call } from './call.js';

/** The type requires a handler of every endpoint. */
export const handlers = {
  'users.me': ({ world, caller }: Call) => {
    const bot = world.state.bots.get(caller.id);
    return bot && botMe(bot);
  },
  'servers.list': ({ world, caller }: Call) =>
    [...world.state.servers.values()]
      .filter(({ botIds }) => botIds.includes(caller.id))
      .map(serverView),
  'servers.channels': (call: Call) => {
    const { world, caller } = call;
    const id = serverIdOf(call);
    return [...world.state.channels.values()]
      .filter((channel) => channel.serverId === id && botSees(world, channel, caller.id))
      .map((channel) => channelView(world, channel));
  },
  'servers.emojis': (call: Call) =>
    emojiViews(call.world, serverIdOf(call), call.origin, call.caller.id),

  /** Returns the newest message first. A deleted message may be in `before` but not in a page (both assumed). */
  'messages.list': (call: Call<unknown, MessagePageQuery & { readonly limit: number }>) => {
    const { world, query, caller } = call;
    const channel = channelOf(call);
    const before = query.before === undefined ? undefined : world.state.messages.get(query.before);
    if (query.before !== undefined && before?.channelId !== channel.id)
      throw notFound('message', query.before);
    const history = world.state.histories.get(channel.id) ?? [];
    const limit = Math.min(query.limit, world.profile.pageMax);
    const { messages, hasMore } = pageBack(history, before, limit, { withDeleted: false });
    return {
      messages: messages.map((message) => messageView(world, message, caller.id)),
      hasMore,
      oldestId: messages.at(-1)?.id ?? null,
    };
  },
  'messages.send': (call: Call<CreateBotMessageRequest>) => {
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
  'messages.delete': (call: Call) => void deleteMessage(call.world, messageOf(call).message),
  'messages.get': (call: Call) => messageView(call.world, messageOf(call).message, call.caller.id),
  'messages.edit': (call: Call<EditMessageRequest>) => {
    const { message } = messageOf(call);
    return writtenMessage(call, editMessage(call.world, message, call.body.content));
  },
  /** Returns the oldest message first, and includes the message itself (assumed). */
  'messages.context': (call: Call<unknown, Required<MessageContextQuery>>) => {
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
      ...found,
      messages: found.messages.map((each) => messageView(world, each, caller.id)),
    };
  },
  'channels.typing': (call: Call) => {
    const { id } = channelOf(call);
    call.world.emit({ type: 'typing.started', channelId: id, userId: call.caller.id });
  },

  'reactions.clear': (call: Call) =>
    reactionUpdateView(call, clearReactions(call.world, messageOf(call).message)),
  'reactions.list': (call: Call<unknown, ReactionQuery>) => {
    const { message } = messageOf(call);
    return reactionUpdateView(call, message, selectReactions(message, call.query));
  },
  'reactions.details': (call: Call<unknown, ReactionQuery>) => {
    const { message } = messageOf(call);
    return reactionDetailsView(call.world, message, selectReactions(message, call.query));
  },
  'reactions.remove': (call: Call<ReactionMutationRequest>) => {
    const { message } = messageOf(call);
    return reactionUpdateView(call, removeReaction(call.world, message, call.caller.id, call.body));
  },
  'reactions.add': (call: Call<ReactionMutationRequest>) => {
    const { message } = messageOf(call);
    return reactionUpdateView(call, addReaction(call.world, message, call.caller.id, call.body));
  },
  'reactions.removeUser': (call: Call<ReactionMutationRequest>) => {
    const { message } = messageOf(call);
    const { id } = requireRecord(call.world.state.users, 'user', parameter(call, 'userId'));
    return reactionUpdateView(call, removeReaction(call.world, message, id, call.body));
  },

  'attachments.accessUrl': (call: Call) => {
    const { world, origin } = call;
    const attachmentId = parameter(call, 'attachmentId');
    const { message } = messageOf(call);
    if (!message.attachments.some(({ id }) => id === attachmentId))
      throw notFound('attachment', attachmentId);
    const expiresAtMs = world.clock.now() + UPLOAD_LIFETIME_MS;
    const query = new URLSearchParams({
      expires: String(expiresAtMs),
      signature: downloadSignature(world, attachmentId, expiresAtMs),
    });
    return {
      attachmentId,
      url: `${origin}/_files/attachments/${attachmentId}?${query.toString()}`,
      expiresAt: new Date(expiresAtMs).toISOString(),
    };
  },
  'attachments.openUpload': (call: Call<CreateUploadSessionRequest>) => {
    const { world, origin, body } = call;
    const channel = channelOf(call);
    requireKind(channel, 'text');
    const upload = openUpload(world, channel, body);
    const url = `${origin}/_files/${upload.objectKey}`;
    return {
      uploadUrl: url,
      objectKey: upload.objectKey,
      publicUrl: url,
      fields: uploadFields(world, upload),
      expiresAt: new Date(upload.expiresAtMs).toISOString(),
      maxBytes: world.profile.uploadMaxBytes,
    };
  },

  'voice.closeIngress': (call: Call) => closeIngress(call.world, channelOf(call), call.caller.id),
  'voice.openIngress': (call: Call) => {
    const { world, origin, caller } = call;
    const channel = channelOf(call);
    const ingressId = openIngress(world, channel, caller.id);
    return {
      ingressId,
      url: `${origin}/_media/whip/${ingressId}`,
      streamKey: `sim-stream-${deriveSecret(world.seed, `stream:${ingressId}`)}`,
      channelId: channel.id,
      participants: participantViews(world, voiceOf(world, channel.id)),
    };
  },
  'voice.join': (call: Call) => {
    const { world, origin, caller } = call;
    const channel = channelOf(call);
    joinVoice(world, channel, caller.id);
    return {
      token: `sim-voice-${deriveSecret(world.seed, `voice:${channel.id}:${caller.id}`)}`,
      url: `${origin.replace(/^http/, 'ws')}/_media/${channel.id}`,
      channelId: channel.id,
      participants: participantViews(world, voiceOf(world, channel.id)),
    };
  },
  'voice.leave': (call: Call) => leaveVoice(call.world, channelOf(call), call.caller.id),
  'voice.state': (call: Call) => voiceStateView(call.world, serverIdOf(call), call.caller.id),

  'commands.list': ({ world, caller }: Call) => world.state.bots.get(caller.id)?.commands,
  'commands.replace': (call: Call<{ readonly commands: readonly SyncCommandItem[] }>) => {
    const { world, caller, body } = call;
    const commands = replaceCommands(world, caller.id, body.commands);
    // The Bot Interface calls this body "not shown", too.
    return { list: commands, wrapped: { commands }, empty: undefined }[world.profile.syncResponse];
  },

  'interactions.ack': (call: Call) => interactions.acknowledge(call.world, interactionIdOf(call)),
  'interactions.defer': (call: Call) => interactions.defer(call.world, interactionIdOf(call)),
  'interactions.followUp': (call: Call<InteractionResponseRequest>) =>
    writtenMessage(call, interactions.followUp(call.world, interactionIdOf(call), call.body)),
  'interactions.editResponse': (call: Call<EditMessageRequest>) => {
    const id = interactionIdOf(call);
    return writtenMessage(call, interactions.editResponse(call.world, id, call.body.content));
  },
  'interactions.respond': (call: Call<InteractionResponseRequest>) =>
    writtenMessage(call, interactions.respond(call.world, interactionIdOf(call), call.body)),

  'user.runCommand': (call: Call<{ readonly commandId: string; readonly rawInput: string }>) => {
    const { commandId, rawInput } = call.body;
    const channelId = parameter(call, 'channelId');
    const run = { channelId, userId: call.caller.id, commandId, rawInput };
    return { interactionId: interactions.runCommand(call.world, run).id };
  },
} satisfies Readonly<Record<EndpointName, (call: never) => unknown>>;

/** Returns the id of the server in the path, where the bot is installed. */
const serverIdOf = (call: Call): string =>
  installedServer(call.world, parameter(call, 'serverId'), call.caller.id).id;

/** Returns the id of the interaction in the path, which must belong to the bot. */
function interactionIdOf(call: Call): string {
  const id = parameter(call, 'interactionId');
  interactions.requireOwn(call.world, id, call.caller.id);
  return id;
}

// Bodies that the Bot Interface calls "not shown", in the form that the profile specifies.

/** Returns the response body of an endpoint that wrote a message. */
function writtenMessage({ world, caller }: Call, message: MessageRecord): unknown {
  switch (world.profile.messageResponse) {
    case 'message':
      return messageView(world, message, caller.id);
    case 'id':
      return { id: message.id };
    case 'unknown-fields':
      return { ...messageView(world, message, caller.id), ...UNKNOWN_FIELDS };
    case 'empty':
      return undefined;
  }
}
