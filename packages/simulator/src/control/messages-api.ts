// `/_sim/messages`, `/_sim/reactions` and what else happens in channels: acts as users, and reads what is there.
import { isRecord } from '@virgule/core/objects';
import type { SimInteractionDetail } from '@virgule/core/simulator-api';
import {
  createBotMessageRequestSchema,
  createUploadSessionRequestSchema,
  editMessageRequestSchema,
  idSchema,
  messagePageQuerySchema,
  reactionMutationRequestSchema,
} from '@virgule/core/protocol';
import { emptyAnswer, jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { readField, validateBody, validateQuery } from '../server/validate.js';
import { channelOfUser, knownUser, liveMessage, requireKind } from '../world/access.js';
import { uploadFile } from '../world/attachments.js';
import { simMessage } from '../world/message-view.js';
import { deleteMessage, editMessage, sendMessage } from '../world/messages.js';
import { addReaction, removeReaction } from '../world/reactions.js';
import { forbidden, notFound } from '../world/refusal.js';
import { simInteraction, simMessagePage, simUpload } from '../world/sim-views.js';
import type { ChannelRecord, MessageRecord } from '../world/state.js';
import { joinVoice, leaveAllVoice } from '../world/voice.js';
import type { World } from '../world/world.js';

/** As of the bot's endpoint, and `after` to read towards the newest message. */
const pageQuerySchema = messagePageQuerySchema.extend({ after: idSchema.optional() });

/** A request to the control API. */
export interface ControlCall {
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON body; an empty object if the request has none, or a file. */
  readonly body: unknown;
  /** The body as it was sent. */
  readonly bytes: Buffer;
  readonly incoming: Incoming;
}

export function listMessages({ world, parameters, query }: ControlCall): Answer {
  const channelId = parameters['channelId'] ?? '';
  if (!world.state.channels.has(channelId)) throw notFound('channel', channelId);
  const { before, after, limit } = validateQuery(pageQuerySchema, query, world.profile);
  const messageOf = (id: string | undefined): MessageRecord | undefined => {
    const message = id === undefined ? undefined : world.state.messages.get(id);
    if (id !== undefined && message?.channelId !== channelId) throw notFound('message', id);
    return message;
  };
  const page = simMessagePage(world, channelId, {
    before: messageOf(before),
    after: messageOf(after),
    limit: Math.min(limit, world.profile.pageMax),
  });
  return jsonAnswer(200, page);
}

/** Returns an interaction with its messages. */
export function readInteraction({ world, parameters }: ControlCall): Answer {
  const id = parameters['interactionId'] ?? '';
  const interaction = world.state.interactions.get(id);
  if (interaction === undefined) throw notFound('interaction', id);
  const messages = (world.state.histories.get(interaction.channelId) ?? [])
    .filter(({ interactionId }) => interactionId === id)
    .map((message) => simMessage(world, message));
  const detail: SimInteractionDetail = {
    interaction: simInteraction(world, interaction),
    messages,
  };
  return jsonAnswer(200, detail);
}

/** Returns the user and the channel of a body, or of the query of a request without a JSON body. */
function actorIn(
  { world, body: sent, query }: ControlCall,
  isInQuery = false,
): { channel: ChannelRecord; userId: string } {
  const body = isInQuery ? Object.fromEntries(query) : sent;
  const channelId = readField(body, 'channelId', idSchema, world.profile);
  const userId = readField(body, 'userId', idSchema, world.profile);
  return { channel: channelOfUser(world, channelId, userId), userId };
}

/** Stores the body as a file of the user. Its type is that of the request. */
export function createUpload(call: ControlCall, baseUrl: string): Answer {
  const { world, bytes, incoming, query } = call;
  const { channel } = actorIn(call, true);
  requireKind(world, channel, 'text');
  const names = {
    fileName: readField(
      Object.fromEntries(query),
      'fileName',
      createUploadSessionRequestSchema.shape.fileName,
      world.profile,
    ),
    contentType: incoming.headers['content-type'] ?? 'application/octet-stream',
  };
  const upload = uploadFile(world, channel, { ...names, bytes });
  return jsonAnswer(200, simUpload(world, baseUrl, upload, bytes.length));
}

export function createMessage(call: ControlCall): Answer {
  const { world, body } = call;
  const { channel, userId } = actorIn(call);
  const { replyToMessageId: reply, attachments: files } = createBotMessageRequestSchema.shape;
  const attachments = readField(body, 'attachments', files, world.profile);
  // A file needs no text (assumed).
  const isFileAlone = (attachments?.length ?? 0) > 0 && isRecord(body) && body['content'] === '';
  const content = isFileAlone
    ? ''
    : validateBody(editMessageRequestSchema, body, world.profile).content;
  const replyToMessageId = readField(body, 'replyToMessageId', reply, world.profile);
  const message = sendMessage(world, {
    channel,
    authorId: userId,
    content,
    replyToMessageId,
    attachments,
  });
  return jsonAnswer(200, simMessage(world, message));
}

/** Returns the message in the path, which must be one of the user. `userId` is in the body or the query. */
function ownMessage({ world, parameters, query, body }: ControlCall): MessageRecord {
  const messageId = parameters['messageId'] ?? '';
  const source = query.has('userId') ? Object.fromEntries(query) : body;
  const userId = readField(source, 'userId', idSchema, world.profile);
  const message = world.state.messages.get(messageId);
  if (message === undefined) throw notFound('message', messageId);
  const channel = channelOfUser(world, message.channelId, userId);
  liveMessage(world, channel, messageId);
  if (message.authorId !== userId) throw forbidden('The message belongs to another user.');
  return message;
}

export function changeMessage(call: ControlCall): Answer {
  const { world, body } = call;
  const message = ownMessage(call);
  const { content } = validateBody(editMessageRequestSchema, body, world.profile);
  return jsonAnswer(200, simMessage(world, editMessage(world, message, content)));
}

export function removeMessage(call: ControlCall): Answer {
  deleteMessage(call.world, ownMessage(call));
  return emptyAnswer();
}

export function react(call: ControlCall): Answer {
  const { world, body } = call;
  const { channel, userId } = actorIn(call);
  const messageId = readField(body, 'messageId', idSchema, world.profile);
  const message = liveMessage(world, channel, messageId);
  const choice = validateBody(
    reactionMutationRequestSchema,
    // Users may omit the key that they do not use; bots may not.
    { unicodeEmoji: null, customEmojiId: null, ...(isRecord(body) ? body : {}) },
    world.profile,
  );
  const edit = isRecord(body) && body['remove'] === true ? removeReaction : addReaction;
  return jsonAnswer(200, simMessage(world, edit(world, message, userId, choice)));
}

export function changeVoice(call: ControlCall): Answer {
  const { world, body } = call;
  if (readField(body, 'channelId', idSchema.nullable(), world.profile) === null) {
    const userId = readField(body, 'userId', idSchema, world.profile);
    leaveAllVoice(world, knownUser(world, userId).id);
  } else {
    const { channel, userId } = actorIn(call);
    joinVoice(world, channel, userId);
  }
  return emptyAnswer();
}
