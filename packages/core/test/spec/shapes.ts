// Written by hand from the Bot Interface: "Resources and their fields", "Events" and "Errors". Only the mapping of
// shapes to schemas comes from the source.
import type { z } from 'zod';
import {
  EVENTS,
  attachmentAccessUrlSchema,
  botMeSchema,
  channelSchema,
  commandOptionSchema,
  commandSchema,
  createBotMessageRequestSchema,
  createUploadSessionRequestSchema,
  customEmojiSchema,
  editMessageRequestSchema,
  helloSchema,
  identifySchema,
  interactionResponseRequestSchema,
  messageContextSchema,
  messagePageSchema,
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  messageSchema,
  reactionMutationRequestSchema,
  readySchema,
  runCommandRequestSchema,
  serverSchema,
  syncCommandItemSchema,
  syncCommandsRequestSchema,
  uploadSessionSchema,
  voiceIngressSchema,
  voiceJoinSchema,
} from '@virgule/core/protocol';

export type SpecType =
  | 'uuid'
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'integer'
  | 'date-time'
  | 'object'
  | 'list';

/** `T`, `T?` when the value may be null, and `optional` when the key may be absent. */
export type SpecField = `${SpecType}${'' | '?'}${'' | ' optional'}`;

export interface SpecShape {
  readonly schema: z.ZodType;
  readonly fields: Readonly<Record<string, SpecField>>;
  /** A fixture with every required field; `at` leads to the shape inside it. */
  readonly fixture: string;
  readonly at?: readonly (string | number)[];
  /** Other fields that have to change when a field is null, because another rule ties them together. */
  readonly orNull?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const SPEC_SHAPES: Readonly<Record<string, SpecShape>> = {
  BotMeDto: {
    schema: botMeSchema,
    fixture: 'bot-me',
    fields: { applicationId: 'uuid', botUserId: 'uuid', username: 'string', displayName: 'string' },
  },
  BotServerDto: {
    schema: serverSchema,
    fixture: 'server',
    fields: { id: 'uuid', name: 'string', memberCount: 'int32' },
  },
  BotChannelDto: {
    schema: channelSchema,
    fixture: 'channel',
    fields: {
      id: 'uuid',
      serverId: 'uuid',
      name: 'string',
      type: 'string',
      position: 'int32',
      topic: 'string?',
    },
  },
  CustomEmojiDto: {
    schema: customEmojiSchema,
    fixture: 'custom-emoji',
    fields: {
      id: 'uuid',
      name: 'string',
      imageUrl: 'string',
      sourceServerId: 'uuid',
      sourceServerName: 'string',
      isExternal: 'boolean',
      isAnimated: 'boolean',
    },
  },
  BotCommandDto: {
    schema: commandSchema,
    fixture: 'command',
    fields: {
      id: 'uuid',
      name: 'string',
      description: 'string',
      options: 'list',
      createdAt: 'date-time',
    },
  },
  BotCommandOptionDto: {
    schema: commandOptionSchema,
    fixture: 'command',
    at: ['options', 0],
    fields: { name: 'string', description: 'string', type: 'string', required: 'boolean' },
  },
  SyncBotCommandItemDto: {
    schema: syncCommandItemSchema,
    fixture: 'request-sync-commands',
    at: ['commands', 0],
    fields: { name: 'string', description: 'string', options: 'list' },
  },
  MessageDto: {
    schema: messageSchema,
    fixture: 'message',
    fields: {
      id: 'uuid',
      channelId: 'uuid',
      authorId: 'uuid',
      authorUsername: 'string',
      authorDisplayName: 'string',
      authorAvatarUrl: 'string?',
      replyTo: 'object',
      content: 'string',
      attachments: 'list',
      linkPreview: 'object',
      reactions: 'list',
      poll: 'object',
      forwardedFrom: 'object',
      editedAt: 'date-time?',
      pinnedAt: 'date-time?',
      pinnedByUserId: 'uuid?',
      isDeleted: 'boolean',
      createdAt: 'date-time',
    },
  },
  MessagePageDto: {
    schema: messagePageSchema,
    fixture: 'message-page',
    fields: { messages: 'list', hasMore: 'boolean', oldestId: 'uuid?' },
  },
  MessageContextDto: {
    schema: messageContextSchema,
    fixture: 'message-context',
    fields: {
      serverId: 'uuid',
      channelId: 'uuid',
      messageId: 'uuid',
      messages: 'list',
      hasOlder: 'boolean',
      hasNewer: 'boolean',
    },
  },
  MessageAttachmentUploadSessionDto: {
    schema: uploadSessionSchema,
    fixture: 'upload-session',
    fields: {
      uploadUrl: 'string',
      objectKey: 'string',
      publicUrl: 'string',
      fields: 'object',
      expiresAt: 'date-time',
      maxBytes: 'int64',
    },
  },
  MessageAttachmentAccessUrlDto: {
    schema: attachmentAccessUrlSchema,
    fixture: 'attachment-access-url',
    fields: { attachmentId: 'uuid', url: 'string', expiresAt: 'date-time' },
  },
  ReactionMutationRequest: {
    schema: reactionMutationRequestSchema,
    fixture: 'request-reaction-unicode',
    fields: { unicodeEmoji: 'string?', customEmojiId: 'uuid?' },
    orNull: { unicodeEmoji: { customEmojiId: '64e0d9b3-8a1f-0c52-0b7d-3f96c15e28a4' } },
  },
  MessageReactionUpdateDto: {
    schema: messageReactionUpdateSchema,
    fixture: 'message-reaction-update',
    fields: { channelId: 'uuid', messageId: 'uuid', reactions: 'list' },
  },
  MessageReactionDetailsDto: {
    schema: messageReactionDetailsSchema,
    fixture: 'message-reaction-details',
    fields: { channelId: 'uuid', messageId: 'uuid', reactions: 'list' },
  },
  BotVoiceJoinResponseDto: {
    schema: voiceJoinSchema,
    fixture: 'voice-join',
    fields: { token: 'string', url: 'string', channelId: 'uuid', participants: 'list' },
  },
  BotVoiceIngressResponseDto: {
    schema: voiceIngressSchema,
    fixture: 'voice-ingress',
    fields: {
      ingressId: 'string',
      url: 'string',
      streamKey: 'string',
      channelId: 'uuid',
      participants: 'list',
    },
  },
  CreateBotMessageRequest: {
    schema: createBotMessageRequestSchema,
    fixture: 'request-create-message-full',
    fields: {
      content: 'string',
      replyToMessageId: 'uuid? optional',
      attachments: 'list? optional',
    },
  },
  EditMessageRequest: {
    schema: editMessageRequestSchema,
    fixture: 'request-edit-message-full',
    fields: { content: 'string', suppressLinkPreview: 'boolean optional' },
  },
  CreateMessageAttachmentUploadSessionRequest: {
    schema: createUploadSessionRequestSchema,
    fixture: 'request-create-upload-session',
    fields: { fileName: 'string', contentType: 'string', size: 'int64' },
  },
  SyncBotCommandsRequest: {
    schema: syncCommandsRequestSchema,
    fixture: 'request-sync-commands',
    fields: { commands: 'list' },
  },
  CreateBotInteractionResponseRequest: {
    schema: interactionResponseRequestSchema,
    fixture: 'request-interaction-response-full',
    fields: {
      content: 'string?',
      replyToMessageId: 'uuid? optional',
      attachments: 'list? optional',
      ephemeral: 'boolean optional',
    },
    orNull: { content: { attachments: [{ objectKey: 'attachments/rules.pdf' }] } },
  },
  'body of the command endpoint for users': {
    schema: runCommandRequestSchema,
    fixture: 'request-run-command',
    fields: { commandId: 'string', rawInput: 'string' },
  },
  'd of HELLO': {
    schema: helloSchema,
    fixture: 'frame-hello',
    at: ['d'],
    fields: { heartbeatInterval: 'integer' },
  },
  'd of IDENTIFY': {
    schema: identifySchema,
    fixture: 'frame-identify',
    at: ['d'],
    fields: { token: 'string', intents: 'list optional' },
  },
  'd of READY': {
    schema: readySchema,
    fixture: 'frame-ready',
    at: ['d'],
    fields: {
      applicationId: 'uuid',
      botUserId: 'uuid',
      username: 'string',
      displayName: 'string',
      serverIds: 'list',
    },
  },
  'd of APPLICATION_COMMAND': {
    schema: EVENTS.APPLICATION_COMMAND.payload,
    fixture: 'frame-application-command',
    at: ['d'],
    fields: {
      interactionId: 'uuid',
      serverId: 'uuid',
      channelId: 'uuid',
      name: 'string',
      rawInput: 'string',
    },
  },
  'd of MESSAGE_REACTION_ADD': {
    schema: EVENTS.MESSAGE_REACTION_ADD.payload,
    fixture: 'frame-message-reaction-add',
    at: ['d'],
    fields: {
      serverId: 'uuid',
      channelId: 'uuid',
      messageId: 'uuid',
      userId: 'uuid',
      emoji: 'object',
      count: 'integer',
    },
  },
};
