import {
  UNKNOWN_ID,
  unknown,
  denied,
  invalid,
  botsMessage,
  inChannel,
  onMessage,
  hiddenChannel,
  hiddenMessage,
  unknownMessage,
  type Row,
} from './endpoint-case.js';

export const messagesCases = {
  'messages.list': {
    request: inChannel('long-history'),
    refused: [
      hiddenChannel(),
      {
        when: 'limit is 0',
        ...invalid('limit'),
        request: inChannel('general', { query: '?limit=0' }),
      },
      {
        when: 'limit is text',
        ...invalid('limit'),
        request: inChannel('general', { query: '?limit=x' }),
      },
      {
        when: 'before is no UUID',
        ...invalid('before'),
        request: inChannel('general', { query: '?before=1' }),
      },
      {
        when: 'before is unknown',
        ...unknown,
        request: inChannel('general', { query: `?before=${UNKNOWN_ID}` }),
      },
    ],
  },
  'messages.send': {
    request: inChannel('general', { body: { content: 'Hi' } }),
    refused: [
      hiddenChannel({ body: { content: 'Hi' } }),
      {
        when: 'content is empty',
        ...invalid('content'),
        request: inChannel('general', { body: { content: '' } }),
      },
      {
        when: 'content is missing',
        ...invalid('content'),
        request: inChannel('general', { body: {} }),
      },
      {
        when: 'content has 2001 characters',
        ...invalid('content'),
        request: inChannel('general', { body: { content: 'x'.repeat(2001) } }),
      },
      {
        when: 'it replies to nothing',
        ...invalid('replyToMessageId'),
        request: inChannel('general', { body: { content: 'Hi', replyToMessageId: UNKNOWN_ID } }),
      },
      {
        when: 'an attachment was never uploaded',
        ...invalid('attachments'),
        request: inChannel('general', {
          body: { content: 'Hi', attachments: [{ objectKey: 'x' }] },
        }),
      },
      {
        when: 'the body is not JSON',
        status: 400,
        code: 'bot_bad_json',
        request: inChannel('general', { body: '{"content":' }),
      },
      {
        when: 'the body is not an object',
        ...invalid('body'),
        request: inChannel('general', { body: '"Hi"' }),
      },
      {
        when: 'the body has more than a megabyte',
        status: 413,
        code: 'bot_payload_too_large',
        request: inChannel('general', { body: { content: 'x'.repeat(16 * 1024 * 1024) } }),
      },
      {
        when: 'it is a voice channel',
        ...invalid('channelId'),
        request: inChannel('Lounge', { body: { content: 'Hi' } }),
      },
    ],
  },
  'messages.delete': {
    request: onMessage(),
    refused: [
      hiddenMessage(),
      unknownMessage(),
      { when: 'ManageMessages is missing', ...denied, request: onMessage({}, 'read-only') },
    ],
  },
  'messages.get': { request: onMessage(), refused: [hiddenMessage(), unknownMessage()] },
  'messages.edit': {
    request: async (platform) => ({
      parameters: await botsMessage(platform),
      body: { content: 'Better', suppressLinkPreview: true },
    }),
    refused: [
      {
        when: 'another user wrote it',
        ...denied,
        request: onMessage({ body: { content: 'Hi' } }),
      },
      hiddenMessage({ body: { content: 'Hi' } }),
      unknownMessage({ body: { content: 'Hi' } }),
      {
        when: 'content is empty',
        ...invalid('content'),
        request: async (platform) => ({
          parameters: await botsMessage(platform),
          body: { content: '' },
        }),
      },
    ],
  },
  'messages.context': {
    request: onMessage({ query: '?before=1&after=1' }, 'long-history'),
    refused: [
      hiddenMessage(),
      unknownMessage(),
      {
        when: 'after is negative',
        ...invalid('after'),
        request: onMessage({ query: '?after=-1' }),
      },
    ],
  },
  'channels.typing': { request: inChannel('general'), refused: [hiddenChannel()] },
} satisfies Record<string, Row>;
