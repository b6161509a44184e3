import { describe, expect, it } from 'vitest';
import { readFixtureObject } from '../../test/read-fixture.js';
import { CONTENT_MAX_LENGTH, CONTENT_MIN_LENGTH } from './limits.js';
import {
  contentSchema,
  createBotMessageRequestSchema,
  editMessageRequestSchema,
  messageAttachmentDraftSchema,
  messagePageSchema,
  messageSchema,
} from './messages.js';

describe('the content of a message', () => {
  it('may have 1 to 2000 characters', () => {
    expect([CONTENT_MIN_LENGTH, CONTENT_MAX_LENGTH]).toEqual([1, 2000]);
  });

  it.each([
    ['1 character', 'x'],
    ['a blank', ' '],
    ['2000 characters', 'x'.repeat(2000)],
    ['1000 dice, which are 2000 code units', '🎲'.repeat(1000)],
  ])('accepts %s', (_what, content) => {
    expect(contentSchema.parse(content)).toBe(content);
  });

  it.each([
    ['nothing', ''],
    ['2001 characters', 'x'.repeat(2001)],
    ['1001 dice, which are 2002 code units', '🎲'.repeat(1001)],
  ])('rejects %s', (_what, content) => {
    expect(contentSchema.safeParse(content).success).toBe(false);
  });

  it.each([
    ['sending', createBotMessageRequestSchema],
    ['editing', editMessageRequestSchema],
  ])('is checked when %s', (_what, schema) => {
    expect(schema.safeParse({ content: 'x'.repeat(2000) }).success).toBe(true);
    for (const content of ['', 'x'.repeat(2001)]) {
      expect(schema.safeParse({ content }).error?.issues[0]?.path).toEqual(['content']);
    }
  });

  it('is rejected as too_small or too_big', () => {
    const codes = ['', 'x'.repeat(2001), '🎲'.repeat(1001)].map((content) =>
      contentSchema.safeParse(content).error?.issues.map(({ code, message }) => [code, message]),
    );
    const tooBig = [['too_big', 'Too big: expected string to have <=2000 characters']];
    expect(codes).toEqual([
      [['too_small', 'Too small: expected string to have >=1 characters']],
      tooBig,
      tooBig,
    ]);
  });

  it('is read as it comes, so that a deleted or an overlong message can be shown', () => {
    for (const content of ['', 'x'.repeat(4000)]) {
      const message = { ...readFixtureObject('message'), content };
      expect(messageSchema.parse(message)).toStrictEqual(message);
    }
  });
});

describe('messageSchema', () => {
  const innerObjects = ['replyTo', 'linkPreview', 'poll', 'forwardedFrom'] as const;

  it.each(innerObjects)('reads an absent %s as null', (name) => {
    const { [name]: _removed, ...message } = readFixtureObject('message');
    expect(messageSchema.parse(message)).toStrictEqual({ ...message, [name]: null });
  });

  it.each(innerObjects)('passes the content of %s through', (name) => {
    const inner = { any: 'thing', deep: [{ x: null }] };
    expect(messageSchema.parse({ ...readFixtureObject('message'), [name]: inner })[name]).toEqual(
      inner,
    );
  });

  it.each(innerObjects)('rejects %s when it is a list', (name) => {
    expect(messageSchema.safeParse({ ...readFixtureObject('message'), [name]: [] }).success).toBe(
      false,
    );
  });

  it('stays readable when files and reactions have another form than assumed', () => {
    const message = {
      ...readFixtureObject('message'),
      attachments: [{ attachmentId: 7, name: 'rules.pdf' }, 'rules.pdf'],
      reactions: [{ unicodeEmoji: '🎲', userIds: [] }, null],
    };
    expect(messageSchema.parse(message)).toStrictEqual(message);
  });

  it('does not let a field named __proto__ reach the prototype', () => {
    const text = JSON.stringify(readFixtureObject('message'));
    const message: unknown = JSON.parse(text.replace('{', '{"__proto__":{"isAdmin":true},'));
    expect(messageSchema.parse(message)).not.toHaveProperty('isAdmin');
  });
});

describe('messagePageSchema', () => {
  it('rejects the whole page when one message is invalid', () => {
    const page = { ...readFixtureObject('message-page-empty'), messages: [{ content: 'hello' }] };
    expect(messagePageSchema.safeParse(page).error?.issues[0]?.path.slice(0, 2)).toEqual([
      'messages',
      0,
    ]);
  });
});

describe('messageAttachmentDraftSchema', () => {
  it('requires only the key of the upload', () => {
    const draft = { objectKey: 'attachments/rules.pdf' };
    expect(messageAttachmentDraftSchema.parse(draft)).toStrictEqual(draft);
  });

  it.each([{}, { objectKey: '' }, { fileName: 'rules.pdf' }, { objectKey: 'k', size: 1.5 }])(
    'rejects %j, because a request must have the assumed form',
    (draft) => {
      const body = { content: 'The rules', attachments: [draft] };
      expect(createBotMessageRequestSchema.safeParse(body).success).toBe(false);
    },
  );
});
