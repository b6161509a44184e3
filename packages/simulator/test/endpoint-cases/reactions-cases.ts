import {
  UNKNOWN_ID,
  THUMB,
  unknown,
  denied,
  invalid,
  adasMessage,
  botsMessage,
  onMessage,
  hiddenMessage,
  unknownMessage,
  bothEmojis,
  type Row,
} from './endpoint-case.js';

export const reactionsCases = {
  'reactions.clear': {
    request: onMessage(),
    refused: [
      hiddenMessage(),
      unknownMessage(),
      { when: 'permission is missing', ...denied, request: onMessage({}, 'read-only') },
      {
        when: 'permission is missing, even for the author',
        ...denied,
        request: async (platform) => ({ parameters: await botsMessage(platform, 'read-only') }),
      },
    ],
  },
  'reactions.list': {
    request: onMessage({ query: `?unicodeEmoji=${encodeURIComponent('👍')}` }),
    refused: [
      hiddenMessage(),
      unknownMessage(),
      {
        when: 'customEmojiId is no UUID',
        ...invalid('customEmojiId'),
        request: onMessage({ query: '?customEmojiId=1' }),
      },
    ],
  },
  'reactions.details': { request: onMessage(), refused: [hiddenMessage(), unknownMessage()] },
  'reactions.remove': {
    request: onMessage({ body: THUMB }),
    refused: [
      hiddenMessage({ body: THUMB }),
      unknownMessage({ body: THUMB }),
      bothEmojis(onMessage()),
    ],
  },
  'reactions.add': {
    request: onMessage({ body: THUMB }),
    refused: [
      hiddenMessage({ body: THUMB }),
      unknownMessage({ body: THUMB }),
      bothEmojis(onMessage()),
      {
        when: 'neither emoji key carries a value',
        ...invalid('unicodeEmoji'),
        request: onMessage({ body: { unicodeEmoji: null, customEmojiId: null } }),
      },
      {
        when: 'an emoji key is missing',
        ...invalid('customEmojiId'),
        request: onMessage({ body: { unicodeEmoji: '👍' } }),
      },
      {
        when: 'it is no emoji',
        ...invalid('unicodeEmoji'),
        request: onMessage({ body: { unicodeEmoji: 'yes', customEmojiId: null } }),
      },
      {
        when: 'the custom emoji is not in the list of the server',
        ...invalid('customEmojiId'),
        request: onMessage({ body: { unicodeEmoji: null, customEmojiId: UNKNOWN_ID } }),
      },
    ],
  },
  'reactions.removeUser': {
    request: (platform) => ({
      parameters: { ...adasMessage(platform), userId: platform.userId('grace') },
      body: THUMB,
    }),
    refused: [
      {
        when: 'ManageReactions is missing',
        ...denied,
        request: (platform) => ({
          parameters: { ...adasMessage(platform, 'read-only'), userId: platform.userId('grace') },
          body: THUMB,
        }),
      },
      {
        when: 'there is no such user',
        ...unknown,
        request: (platform) => ({
          parameters: { ...adasMessage(platform), userId: UNKNOWN_ID },
          body: THUMB,
        }),
      },
    ],
  },
} satisfies Record<string, Row>;
