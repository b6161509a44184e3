// Source: Bot Interface, "Endpoints" and "Behaviour rules per endpoint".
import * as z from 'zod';
import { notShown } from './assumed.js';
import { commandSchema, readCommandSchema, syncCommandsRequestSchema } from './commands.js';
import type { Endpoint, EndpointName } from './endpoint.js';
import { botMeSchema, channelSchema, customEmojiSchema, serverSchema } from './identity.js';
import { interactionResponseRequestSchema, runCommandRequestSchema } from './interactions.js';
import {
  createBotMessageRequestSchema,
  editMessageRequestSchema,
  messageContextQuerySchema,
  messageContextSchema,
  messagePageQuerySchema,
  messagePageSchema,
  messageSchema,
} from './messages.js';
import {
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  reactionMutationRequestSchema,
  reactionQuerySchema,
} from './reactions.js';
import {
  attachmentAccessUrlSchema,
  createUploadSessionRequestSchema,
  uploadSessionSchema,
} from './uploads.js';
import { voiceIngressSchema, voiceJoinSchema, voiceStateSchema } from './voice.js';

const message = '/channels/{channelId}/messages/{messageId}';
const interaction = '/interactions/{interactionId}';

type Row = Omit<Endpoint, 'name' | 'api'>;

const rows: Record<Exclude<EndpointName, 'user.runCommand'>, Row> = {
  'users.me': {
    number: 1,
    method: 'GET',
    path: '/users/@me',
    response: botMeSchema,
    retry: 'safe',
  },
  'servers.list': {
    number: 2,
    method: 'GET',
    path: '/servers',
    response: z.array(serverSchema),
    retry: 'safe',
  },
  'servers.channels': {
    number: 3,
    method: 'GET',
    path: '/servers/{serverId}/channels',
    response: z.array(channelSchema),
    retry: 'safe',
  },
  'servers.emojis': {
    number: 4,
    method: 'GET',
    path: '/servers/{serverId}/emojis',
    response: z.array(customEmojiSchema),
    retry: 'safe',
  },
  'messages.list': {
    number: 5,
    method: 'GET',
    path: '/channels/{channelId}/messages',
    query: messagePageQuerySchema,
    response: messagePageSchema,
    retry: 'safe',
  },
  'messages.send': {
    number: 6,
    method: 'POST',
    path: '/channels/{channelId}/messages',
    body: createBotMessageRequestSchema,
    response: notShown(messageSchema),
    retry: 'once',
  },
  'messages.delete': {
    number: 7,
    method: 'DELETE',
    path: message,
    response: null,
    retry: 'repeatable',
    anyPermission: ['ManageMessages'],
    author: 'instead-of-permission',
  },
  'messages.get': {
    number: 8,
    method: 'GET',
    path: message,
    response: messageSchema,
    retry: 'safe',
  },
  'messages.edit': {
    number: 9,
    method: 'PATCH',
    path: message,
    body: editMessageRequestSchema,
    response: notShown(messageSchema),
    retry: 'repeatable',
    author: 'required',
  },
  'messages.context': {
    number: 10,
    method: 'GET',
    path: `${message}/context`,
    query: messageContextQuerySchema,
    response: messageContextSchema,
    retry: 'safe',
  },
  'channels.typing': {
    number: 11,
    method: 'POST',
    path: '/channels/{channelId}/typing',
    response: null,
    retry: 'repeatable',
  },
  'reactions.clear': {
    number: 12,
    method: 'DELETE',
    path: `${message}/reactions`,
    response: notShown(messageReactionUpdateSchema),
    retry: 'repeatable',
    anyPermission: ['ManageReactions', 'ManageMessages'],
  },
  'reactions.list': {
    number: 13,
    method: 'GET',
    path: `${message}/reactions`,
    query: reactionQuerySchema,
    response: notShown(messageReactionUpdateSchema),
    retry: 'safe',
  },
  'reactions.details': {
    number: 14,
    method: 'GET',
    path: `${message}/reactions/details`,
    query: reactionQuerySchema,
    response: messageReactionDetailsSchema,
    retry: 'safe',
  },
  'reactions.remove': {
    number: 15,
    method: 'DELETE',
    path: `${message}/reactions/me`,
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
    retry: 'repeatable',
  },
  'reactions.add': {
    number: 16,
    method: 'PUT',
    path: `${message}/reactions/me`,
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
    retry: 'repeatable',
  },
  'reactions.removeUser': {
    number: 17,
    method: 'DELETE',
    path: `${message}/reactions/users/{userId}`,
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
    retry: 'repeatable',
    anyPermission: ['ManageReactions'],
  },
  'attachments.accessUrl': {
    number: 18,
    method: 'GET',
    path: `${message}/attachments/{attachmentId}/access-url`,
    response: attachmentAccessUrlSchema,
    retry: 'safe',
  },
  'attachments.openUpload': {
    number: 19,
    method: 'POST',
    path: '/channels/{channelId}/messages/attachments/upload-session',
    body: createUploadSessionRequestSchema,
    response: uploadSessionSchema,
    retry: 'repeatable',
  },
  'voice.closeIngress': {
    number: 20,
    method: 'DELETE',
    path: '/channels/{channelId}/voice/ingress',
    response: null,
    retry: 'repeatable',
  },
  'voice.openIngress': {
    number: 21,
    method: 'POST',
    path: '/channels/{channelId}/voice/ingress',
    response: voiceIngressSchema,
    retry: 'once',
  },
  'voice.join': {
    number: 22,
    method: 'POST',
    path: '/channels/{channelId}/voice/join',
    response: voiceJoinSchema,
    retry: 'repeatable',
  },
  'voice.leave': {
    number: 23,
    method: 'POST',
    path: '/channels/{channelId}/voice/leave',
    response: null,
    retry: 'repeatable',
  },
  'voice.state': {
    number: 24,
    method: 'GET',
    path: '/servers/{serverId}/voice-state',
    response: notShown(voiceStateSchema),
    retry: 'safe',
  },
  'commands.list': {
    number: 25,
    method: 'GET',
    path: '/commands',
    response: z.array(readCommandSchema),
    retry: 'safe',
  },
  'commands.replace': {
    number: 26,
    method: 'PUT',
    path: '/commands',
    body: syncCommandsRequestSchema,
    response: notShown(z.array(commandSchema)),
    retry: 'repeatable',
  },
  'interactions.ack': {
    number: 27,
    method: 'POST',
    path: `${interaction}/ack`,
    response: null,
    retry: 'repeatable',
  },
  'interactions.defer': {
    number: 28,
    method: 'POST',
    path: `${interaction}/defer`,
    response: null,
    retry: 'repeatable',
  },
  'interactions.followUp': {
    number: 29,
    method: 'POST',
    path: `${interaction}/follow-ups`,
    body: interactionResponseRequestSchema,
    response: notShown(messageSchema),
    retry: 'once',
  },
  'interactions.editResponse': {
    number: 30,
    method: 'PATCH',
    path: `${interaction}/response`,
    body: editMessageRequestSchema,
    response: notShown(messageSchema),
    retry: 'repeatable',
  },
  'interactions.respond': {
    number: 31,
    method: 'POST',
    path: `${interaction}/response`,
    body: interactionResponseRequestSchema,
    response: notShown(messageSchema),
    retry: 'settle',
  },
};

const userRow: Endpoint = {
  number: null,
  name: 'user.runCommand',
  api: 'user',
  method: 'POST',
  path: '/channels/{channelId}/interactions/commands',
  body: runCommandRequestSchema,
  response: notShown(z.looseObject({ interactionId: z.guid() })),
  retry: 'once',
};

/** All endpoints by name: 31 for bots and one for users. */
export const ENDPOINTS = {
  ...Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      { ...row, name: name as EndpointName, api: 'bot' },
    ]),
  ),
  'user.runCommand': userRow,
  // fromEntries loses the keys; the type of `rows` requires all of them.
} as Readonly<Record<EndpointName, Endpoint>>;
