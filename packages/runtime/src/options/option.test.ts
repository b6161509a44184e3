import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { option } from './option.js';

const ID = '5F0C8A52-7f3e-4a11-9d7e-0c3a1b2d4e5f';

const messageOf = (result: z.ZodSafeParseResult<unknown>): string | undefined =>
  result.error?.issues[0]?.message;

describe('option', () => {
  it.each([
    ['user', option.user(), `<@${ID}>`],
    ['channel', option.channel(), `<#${ID}>`],
    ['role', option.role(), `<@&${ID}>`],
  ] as const)('%s takes its mention and the bare id', (_, schema, mention) => {
    for (const text of [mention, ID]) {
      const ref = schema.parse(text);
      expect(ref).toEqual({ id: ID });
      expect(String(ref)).toBe(mention);
      expect(Object.keys(ref)).toEqual(['id']);
    }
  });

  it('mentionable takes users and roles and says which', () => {
    const parse = (text: string): unknown[] => {
      const ref = option.mentionable().parse(text);
      return [ref.id, ref.kind, String(ref)];
    };
    expect(parse(`<@${ID}>`)).toEqual([ID, 'user', `<@${ID}>`]);
    expect(parse(`<@&${ID}>`)).toEqual([ID, 'role', `<@&${ID}>`]);
    expect(parse(ID)).toEqual([ID, 'unknown', `<@${ID}>`]);
    expect(messageOf(option.mentionable().safeParse(`<#${ID}>`))).toBe(
      'that is a channel, not a user or role',
    );
  });

  it('takes no mention of another kind', () => {
    expect(messageOf(option.user().safeParse(`<#${ID}>`))).toBe('that is a channel, not a user');
    expect(messageOf(option.user().safeParse(`<@&${ID}>`))).toBe('that is a role, not a user');
    expect(messageOf(option.channel().safeParse(`<@${ID}>`))).toBe('that is a user, not a channel');
    expect(messageOf(option.role().safeParse(`<@${ID}>`))).toBe('that is a user, not a role');
  });

  it('refuses names politely', () => {
    expect(messageOf(option.user().safeParse('@anna'))).toContain('names cannot be looked up');
    expect(messageOf(option.channel().safeParse('#general'))).toContain(
      'names cannot be looked up',
    );
  });

  it.each(['anna', '', '<@>', `<@${ID}`, `<@!${ID}>`, `x${ID}`, `<@${ID}> `, '@'])(
    'has nothing to say of "%s" but that it does not fit',
    (text) => {
      expect(messageOf(option.user().safeParse(text))).toBe('Invalid input');
    },
  );

  it('tells that @ alone is no name', () => {
    expect(messageOf(option.channel().safeParse('#'))).toBe('Invalid input');
  });

  it('attachment passes its text through', () => {
    expect(option.attachment().parse('anything at all')).toBe('anything at all');
  });

  it.each([
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['250ms', 250],
    ['1.5h', 5_400_000],
    ['1H30M', 5_400_000],
    ['0s', 0],
  ])('duration reads %s as %i ms', (text, ms) => {
    expect(option.duration().parse(text)).toBe(ms);
  });

  it.each([
    '',
    '30',
    's',
    '5 m',
    '-5m',
    '5m5m',
    '30s1h',
    '1h30',
    '1e3s',
    '5x',
    '١m',
    `${'9'.repeat(15)}d`,
  ])('duration refuses "%s"', (text) => {
    expect(option.duration().safeParse(text).success).toBe(false);
  });

  it('goes on with the usual methods', () => {
    const short = option.duration().pipe(z.number().max(60_000, 'at most a minute'));
    expect(short.parse('1m')).toBe(60_000);
    expect(messageOf(short.safeParse('2m'))).toBe('at most a minute');
    expect(option.rest().max(3).safeParse('abcd').success).toBe(false);
    expect(option.user().optional().parse(undefined)).toBeUndefined();
  });
});
