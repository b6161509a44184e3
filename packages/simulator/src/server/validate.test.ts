import {
  createBotMessageRequestSchema,
  messagePageQuerySchema,
  reactionQuerySchema,
  resolveProfile,
  syncCommandsRequestSchema,
} from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { parseJson, validateBody, validateQuery } from './validate.js';

const profile = resolveProfile();
const ID = '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000';

/** Returns `details.field` of the refusal of a call. */
function refusedField(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof Error && 'details' in error
      ? Reflect.get(Object(error.details), 'field')
      : error;
  }
  return 'not refused';
}

describe('validateQuery', () => {
  const read = (query: string) =>
    validateQuery(messagePageQuerySchema, new URLSearchParams(query), profile);

  it('reads numbers and fills in defaults', () => {
    expect(read('')).toEqual({ limit: 50 });
    expect(read(`limit=7&before=${ID}`)).toEqual({ limit: 7, before: ID });
    expect(read('unknown=1')).toEqual({ limit: 50, unknown: '1' });
  });

  it.each([
    'limit=',
    'limit=x',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1e3',
    'limit=2147483648',
    'limit=0x10',
  ])('refuses %s', (query) => {
    expect(refusedField(() => read(query))).toBe('limit');
  });

  it('leaves text alone that looks like a number', () => {
    const query = new URLSearchParams('unicodeEmoji=1');
    expect(validateQuery(reactionQuerySchema, query, profile)).toEqual({ unicodeEmoji: '1' });
  });
});

describe('validateBody', () => {
  it.each([
    [null, 'body'],
    ['text', 'body'],
    [[], 'body'],
    [{}, 'content'],
    [{ content: 1 }, 'content'],
    [{ content: 'x', replyToMessageId: 'x' }, 'replyToMessageId'],
    [{ content: 'x', attachments: [{ objectKey: 'k' }, {}] }, 'attachments[1].objectKey'],
  ])('refuses %j, naming %s', (body, field) => {
    expect(refusedField(() => validateBody(createBotMessageRequestSchema, body, profile))).toBe(
      field,
    );
  });

  it('keeps fields that it does not know', () => {
    const body = { content: 'x', later: true };
    expect(validateBody(createBotMessageRequestSchema, body, profile)).toEqual(body);
  });

  it('counts nothing but the content in code points', () => {
    const inCodePoints = resolveProfile({ contentUnit: 'code-point' });
    const command = { name: 'ask', description: '🎲'.repeat(150), options: [] };
    const read = (value: object) => validateBody(syncCommandsRequestSchema, value, inCodePoints);
    expect(refusedField(() => read({ commands: [command] }))).toBe('commands[0].description');
  });
});

describe('parseJson', () => {
  it.each(['', '{', 'undefined', '{"a":1}x'])('refuses %j', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow('The body is not JSON.');
  });
});
