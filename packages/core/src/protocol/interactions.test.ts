import { describe, expect, it } from 'vitest';
import { interactionResponseRequestSchema, runCommandRequestSchema } from './interactions.js';

const attachments = [{ objectKey: 'attachments/rules.pdf' }];

describe('interactionResponseRequestSchema', () => {
  it.each([
    { content: 'x' },
    { content: 'x'.repeat(2000) },
    { content: 'x', attachments: null, replyToMessageId: null },
    { content: 'x', attachments },
    { content: null, attachments },
  ])('accepts %j', (body) => {
    expect(interactionResponseRequestSchema.parse(body)).toStrictEqual(body);
  });

  it.each([
    {},
    { attachments },
    { content: undefined, attachments },
    { content: '' },
    { content: '', attachments },
    { content: 'x'.repeat(2001) },
    { content: null },
    { content: null, attachments: null },
    { content: null, attachments: [] },
  ])('rejects %j and names content', (body) => {
    const paths = interactionResponseRequestSchema
      .safeParse(body)
      .error?.issues.map(({ path }) => path);
    expect(paths).toEqual([['content']]);
  });

  it('says when content may be null', () => {
    expect(
      interactionResponseRequestSchema.safeParse({ content: null }).error?.issues,
    ).toMatchObject([{ message: 'content may be null only when attachments are sent' }]);
  });

  it.each([true, false])('reads ephemeral %s, which has no effect', (ephemeral) => {
    const body = { content: 'x', ephemeral };
    expect(interactionResponseRequestSchema.parse(body)).toStrictEqual(body);
  });

  it('rejects an ephemeral that is neither true nor false', () => {
    expect(
      interactionResponseRequestSchema.safeParse({ content: 'x', ephemeral: 'yes' }).success,
    ).toBe(false);
    expect(
      interactionResponseRequestSchema.safeParse({ content: 'x', ephemeral: null }).success,
    ).toBe(false);
  });
});

describe('runCommandRequestSchema', () => {
  it('accepts any typed text', () => {
    for (const rawInput of ['', '/roll 20', 'roll', '/roll "a\nb" 🎲']) {
      const body = { commandId: '2f8d6a04-b7c1-4e95-8d30-91e5c4f7a2b6', rawInput };
      expect(runCommandRequestSchema.parse(body)).toStrictEqual(body);
    }
  });

  it.each([{ rawInput: '/roll' }, { commandId: '', rawInput: '/roll' }, { commandId: 'c' }])(
    'rejects %j',
    (body) => {
      expect(runCommandRequestSchema.safeParse(body).success).toBe(false);
    },
  );
});
