import { describe, expect, it } from 'vitest';
import { readFixtureObject } from '../../test/read-fixture.js';
import {
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  reactionEmojiSchema,
  reactionMutationRequestSchema,
} from './reactions.js';

const customEmojiId = '64e0d9b3-8a1f-0c52-0b7d-3f96c15e28a4';

describe('reactionMutationRequestSchema', () => {
  it.each([
    { unicodeEmoji: '🎲', customEmojiId: null },
    { unicodeEmoji: '👩‍👩‍👧', customEmojiId: null },
    { unicodeEmoji: null, customEmojiId },
  ])('accepts %j', (body) => {
    expect(reactionMutationRequestSchema.parse(body)).toStrictEqual(body);
  });

  it.each([
    ['both', { unicodeEmoji: '🎲', customEmojiId }],
    ['none', { unicodeEmoji: null, customEmojiId: null }],
  ])('rejects %s, and says that exactly one must be null', (_what, body) => {
    expect(reactionMutationRequestSchema.safeParse(body).error?.issues).toMatchObject([
      { message: 'exactly one of unicodeEmoji and customEmojiId must be null' },
    ]);
  });

  it.each([
    ['customEmojiId', { unicodeEmoji: '🎲' }],
    ['unicodeEmoji', { customEmojiId }],
    ['unicodeEmoji', { unicodeEmoji: '', customEmojiId: null }],
    ['customEmojiId', { unicodeEmoji: null, customEmojiId: 'd20' }],
  ])('names %s when it rejects %j', (field, body) => {
    expect(reactionMutationRequestSchema.safeParse(body).error?.issues[0]?.path).toEqual([field]);
  });
});

describe('reactionEmojiSchema', () => {
  it.each([
    { kind: 'custom', customEmojiId, customEmojiName: 'd20' },
    { kind: 'unicode', unicodeEmoji: '🎲' },
    { kind: 'native', native: '🎲' },
  ])('accepts %j', (emoji) => {
    expect(reactionEmojiSchema.parse(emoji)).toStrictEqual(emoji);
  });

  it('rejects an emoji without a kind', () => {
    expect(reactionEmojiSchema.safeParse({ unicodeEmoji: '🎲' }).success).toBe(false);
  });
});

describe('the reactions of a message', () => {
  it.each([
    ['update', messageReactionUpdateSchema],
    ['details', messageReactionDetailsSchema],
  ])('remain readable when the items of the %s have another form than assumed', (name, schema) => {
    const body = {
      ...readFixtureObject(`message-reaction-${name}`),
      reactions: [{ unicodeEmoji: '🎲', userIds: ['u'] }, '🎲', null],
    };
    expect(schema.parse(body)).toStrictEqual(body);
  });
});
