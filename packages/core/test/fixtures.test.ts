import {
  EVENTS,
  apiErrorBodySchema,
  attachmentAccessUrlSchema,
  botMeSchema,
  channelSchema,
  commandSchema,
  createBotMessageRequestSchema,
  createUploadSessionRequestSchema,
  customEmojiSchema,
  editMessageRequestSchema,
  frameSchema,
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
  syncCommandsRequestSchema,
  uploadSessionSchema,
  voiceIngressSchema,
  voiceJoinSchema,
  voiceStateSchema,
} from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fixtureNames, readFixture } from './read-fixture.js';
import { isObject } from '../src/objects.js';

/** A frame whose payload has this shape. */
const frame = (payload: z.ZodType): z.ZodType => frameSchema.extend({ d: payload });

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'assumed-frame-message-create': frame(EVENTS.MESSAGE_CREATE.payload),
  'assumed-frame-message-delete': frame(EVENTS.MESSAGE_DELETE.payload),
  'assumed-frame-message-reaction-add-unicode': frame(EVENTS.MESSAGE_REACTION_ADD.payload),
  'assumed-frame-message-reaction-remove': frame(EVENTS.MESSAGE_REACTION_REMOVE.payload),
  'assumed-frame-message-update': frame(EVENTS.MESSAGE_UPDATE.payload),
  'assumed-frame-voice-state-update': frame(EVENTS.VOICE_STATE_UPDATE.payload),
  'assumed-frame-voice-state-update-left': frame(EVENTS.VOICE_STATE_UPDATE.payload),
  'assumed-message-plain': messageSchema,
  'assumed-message-reaction-details': messageReactionDetailsSchema,
  'assumed-message-reaction-update': messageReactionUpdateSchema,
  'assumed-message-with-files-and-reactions': messageSchema,
  'assumed-request-create-message-with-file': createBotMessageRequestSchema,
  'assumed-request-interaction-response-files-only': interactionResponseRequestSchema,
  'assumed-voice-join-with-participants': voiceJoinSchema,
  'assumed-voice-state': voiceStateSchema,
  'attachment-access-url': attachmentAccessUrlSchema,
  'bot-me': botMeSchema,
  channel: channelSchema,
  'channel-list': z.array(channelSchema),
  'channel-without-topic': channelSchema,
  command: commandSchema,
  'command-list': z.array(commandSchema),
  'custom-emoji': customEmojiSchema,
  'custom-emoji-list': z.array(customEmojiSchema),
  'error-rate-limited': apiErrorBodySchema,
  'error-validation': apiErrorBodySchema,
  'frame-application-command': frame(EVENTS.APPLICATION_COMMAND.payload),
  'frame-heartbeat': frameSchema,
  'frame-heartbeat-ack': frameSchema,
  'frame-hello': frame(helloSchema),
  'frame-identify': frame(identifySchema),
  'frame-identify-without-intents': frame(identifySchema),
  'frame-message-reaction-add': frame(EVENTS.MESSAGE_REACTION_ADD.payload),
  'frame-ready': frame(readySchema),
  message: messageSchema,
  'message-context': messageContextSchema,
  'message-page': messagePageSchema,
  'message-page-empty': messagePageSchema,
  'message-reaction-details': messageReactionDetailsSchema,
  'message-reaction-update': messageReactionUpdateSchema,
  'message-with-nulls': messageSchema,
  'rate-limit-headers': z.record(z.string(), z.string()),
  'request-create-message': createBotMessageRequestSchema,
  'request-create-message-full': createBotMessageRequestSchema,
  'request-create-message-with-nulls': createBotMessageRequestSchema,
  'request-create-upload-session': createUploadSessionRequestSchema,
  'request-edit-message': editMessageRequestSchema,
  'request-edit-message-full': editMessageRequestSchema,
  'request-interaction-response': interactionResponseRequestSchema,
  'request-interaction-response-full': interactionResponseRequestSchema,
  'request-reaction-custom': reactionMutationRequestSchema,
  'request-reaction-unicode': reactionMutationRequestSchema,
  'request-run-command': runCommandRequestSchema,
  'request-sync-commands': syncCommandsRequestSchema,
  'request-sync-commands-every-type': syncCommandsRequestSchema,
  server: serverSchema,
  'server-list': z.array(serverSchema),
  'upload-session': uploadSessionSchema,
  'voice-ingress': voiceIngressSchema,
  'voice-join': voiceJoinSchema,
};

/** Returns the value with an unknown field in every object, at every depth. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withUnknownFields(inner)]);
  return { ...Object.fromEntries(entries), addedLater: 'kept' };
}

const cases = Object.entries(SCHEMAS);

describe('the fixtures', () => {
  it('each have a schema here', () => {
    expect(Object.keys(SCHEMAS).toSorted()).toEqual(fixtureNames());
  });

  it.each(cases)('%s parses and comes out unchanged', (name, schema) => {
    expect(schema.parse(readFixture(name))).toStrictEqual(readFixture(name));
  });

  it.each(cases.filter(([name]) => name !== 'rate-limit-headers'))(
    '%s keeps unknown fields at every depth',
    (name, schema) => {
      const value = withUnknownFields(readFixture(name));
      expect(schema.parse(value)).toStrictEqual(value);
    },
  );

  it.each(cases)('%s is not changed by being read', (name, schema) => {
    const value = readFixture(name);
    schema.parse(value);
    expect(value).toStrictEqual(readFixture(name));
  });
});
