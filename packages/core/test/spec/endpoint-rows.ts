// Written by hand from the table in the Bot Interface, "Endpoints". This file must not be generated from the source.

/** One row of the table, in the document's own words. */
export interface SpecEndpoint {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** Each query parameter in the words of the document. */
  readonly query: Readonly<Record<string, string>>;
  /** The name of the body's shape; `-` for no body. */
  readonly body: string;
  /** The name of the answer's shape, `no body` or `not shown`. */
  readonly response: string;
}

const row = (
  number: number,
  method: string,
  path: string,
  body: string,
  response: string,
  query: Readonly<Record<string, string>> = {},
): SpecEndpoint => ({ number, method, path, query, body, response });

const emojiQuery = { unicodeEmoji: 'string optional', customEmojiId: 'uuid optional' };

export const SPEC_ENDPOINTS: readonly SpecEndpoint[] = [
  row(1, 'GET', '/users/@me', '-', 'BotMeDto'),
  row(2, 'GET', '/servers', '-', 'list of BotServerDto'),
  row(3, 'GET', '/servers/{serverId}/channels', '-', 'list of BotChannelDto'),
  row(4, 'GET', '/servers/{serverId}/emojis', '-', 'list of CustomEmojiDto'),
  row(5, 'GET', '/channels/{channelId}/messages', '-', 'MessagePageDto', {
    before: 'uuid optional',
    limit: 'int32 default 50',
  }),
  row(6, 'POST', '/channels/{channelId}/messages', 'CreateBotMessageRequest', 'not shown'),
  row(7, 'DELETE', '/channels/{channelId}/messages/{messageId}', '-', 'no body'),
  row(8, 'GET', '/channels/{channelId}/messages/{messageId}', '-', 'MessageDto'),
  row(9, 'PATCH', '/channels/{channelId}/messages/{messageId}', 'EditMessageRequest', 'not shown'),
  row(10, 'GET', '/channels/{channelId}/messages/{messageId}/context', '-', 'MessageContextDto', {
    before: 'int32 default 25',
    after: 'int32 default 25',
  }),
  row(11, 'POST', '/channels/{channelId}/typing', '-', 'no body'),
  row(12, 'DELETE', '/channels/{channelId}/messages/{messageId}/reactions', '-', 'not shown'),
  row(
    13,
    'GET',
    '/channels/{channelId}/messages/{messageId}/reactions',
    '-',
    'not shown',
    emojiQuery,
  ),
  row(
    14,
    'GET',
    '/channels/{channelId}/messages/{messageId}/reactions/details',
    '-',
    'MessageReactionDetailsDto',
    emojiQuery,
  ),
  row(
    15,
    'DELETE',
    '/channels/{channelId}/messages/{messageId}/reactions/me',
    'ReactionMutationRequest',
    'not shown',
  ),
  row(
    16,
    'PUT',
    '/channels/{channelId}/messages/{messageId}/reactions/me',
    'ReactionMutationRequest',
    'not shown',
  ),
  row(
    17,
    'DELETE',
    '/channels/{channelId}/messages/{messageId}/reactions/users/{userId}',
    'ReactionMutationRequest',
    'not shown',
  ),
  row(
    18,
    'GET',
    '/channels/{channelId}/messages/{messageId}/attachments/{attachmentId}/access-url',
    '-',
    'MessageAttachmentAccessUrlDto',
  ),
  row(
    19,
    'POST',
    '/channels/{channelId}/messages/attachments/upload-session',
    'CreateMessageAttachmentUploadSessionRequest',
    'MessageAttachmentUploadSessionDto',
  ),
  row(20, 'DELETE', '/channels/{channelId}/voice/ingress', '-', 'no body'),
  row(21, 'POST', '/channels/{channelId}/voice/ingress', '-', 'BotVoiceIngressResponseDto'),
  row(22, 'POST', '/channels/{channelId}/voice/join', '-', 'BotVoiceJoinResponseDto'),
  row(23, 'POST', '/channels/{channelId}/voice/leave', '-', 'no body'),
  row(24, 'GET', '/servers/{serverId}/voice-state', '-', 'not shown'),
  row(25, 'GET', '/commands', '-', 'list of BotCommandDto'),
  row(26, 'PUT', '/commands', 'SyncBotCommandsRequest', 'not shown'),
  row(27, 'POST', '/interactions/{interactionId}/ack', '-', 'no body'),
  row(28, 'POST', '/interactions/{interactionId}/defer', '-', 'no body'),
  row(
    29,
    'POST',
    '/interactions/{interactionId}/follow-ups',
    'CreateBotInteractionResponseRequest',
    'not shown',
  ),
  row(30, 'PATCH', '/interactions/{interactionId}/response', 'EditMessageRequest', 'not shown'),
  row(
    31,
    'POST',
    '/interactions/{interactionId}/response',
    'CreateBotInteractionResponseRequest',
    'not shown',
  ),
];
