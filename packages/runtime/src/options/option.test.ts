import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { option } from './option.js';

const ID = '5f0c8a52-7f3e-4a11-9d7e-0c3a1b2d4e5f';

const messageOf = (result: z.ZodSafeParseResult<unknown>): string | undefined =>
  result.error?.issues[0]?.message;

describe('option', () => {
  it.each([
    ['user', option.user(), `<@${ID}>`],
    ['channel', option.channel(), `<#${ID}>`],
    ['role', option.role(), `<@&${ID}>`],
  ] as const)('%s takes its mention and the bare id', (_, schema, mention) => {
    for (const text of [mention, ID, mention.toUpperCase(), ID.toUpperCase()]) {
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
    expect(parse(ID.toUpperCase())).toEqual([ID, 'unknown', `<@${ID}>`]);
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

  it('reports that @ alone is no name', () => {
    expect(messageOf(option.channel().safeParse('#'))).toBe('Invalid input');
  });

  it('attachment passes its text through: the bot checks it, as it knows the hosts', () => {
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

  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['Mars/Olympus', false],
    ['', false],
  ])('timeZone reads "%s": %s', (text, isValid) => {
    expect(option.timeZone().safeParse(text)).toMatchObject({ success: isValid });
  });

  it('duration has limits', () => {
    const within = option.duration({ min: '1m', max: '1d' });
    expect(within.parse('1m')).toBe(60_000);
    expect(within.safeParse('59s').success).toBe(false);
    expect(within.safeParse('25h').success).toBe(false);
  });

  it('duration has a default as people write one, wherever it is set', () => {
    expect(option.duration().default('1h').parse(undefined)).toBe(3_600_000);
    const described = option.duration({ max: '2h' }).describe('When').default('90m');
    expect(described.parse(undefined)).toBe(5_400_000);
    expect(described.parse('2h')).toBe(7_200_000);
    expect(
      option
        .duration()
        .default(() => '5s')
        .parse(undefined),
    ).toBe(5_000);
    expect(
      option
        .duration()
        .refine(() => true)
        .default('5s')
        .parse(undefined),
    ).toBe(5_000);
    const again = option.duration().parse('5m');
    expect(option.duration().default(again).parse(undefined)).toBe(300_000);
  });

  it('duration refuses limits and defaults that are not durations', () => {
    const wrong = 'soon' as '1h';
    expect(() => option.duration({ min: wrong })).toThrow('"soon" is not a duration');
    expect(() => option.duration().default(wrong)).toThrow('"soon" is not a duration');
  });

  it.each([
    [ID, undefined],
    [
      `https://chat.example/channels/${'0'.repeat(8)}-0000-4000-8000-000000000001/${ID}`,
      '0'.repeat(8),
    ],
    [`https://chat.example/m?message=${ID.toUpperCase()}`, undefined],
    [
      `http://[::1]:7300/#/${'1'.repeat(8)}-0000-4000-8000-000000000001/messages/${ID}?as=ada`,
      '1'.repeat(8),
    ],
  ])('message reads %s', (text, channel) => {
    const ref = option.message().parse(text);
    expect(ref.id).toBe(ID);
    expect(ref.channelId?.slice(0, 8)).toBe(channel);
    expect(String(ref)).toBe(text);
  });

  it.each(['', 'hello', 'https://chat.example/', `see ${ID}`, `ftp://x/${ID}`])(
    'message refuses %j',
    (text) => {
      expect(option.message().safeParse(text).success).toBe(false);
    },
  );

  it('keeps the usual methods', () => {
    const short = option.duration().refine((ms) => ms <= 60_000, 'at most a minute');
    expect(short.parse('1m')).toBe(60_000);
    expect(messageOf(short.safeParse('2m'))).toBe('at most a minute');
    expect(option.rest().max(3).safeParse('abcd').success).toBe(false);
    expect(option.user().optional().parse(undefined)).toBeUndefined();
  });
});
