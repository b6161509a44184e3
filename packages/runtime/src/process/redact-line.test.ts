import { createRedactor } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { redactLine, redactLines } from './redact-line.js';

const SECRET = 'made-up-7f3a';
const redact = createRedactor(['hunter22', 'say "please"', '17900000', '12345678', 'level']);

/** Returns an object as it is written. */
const written = (entry: object): unknown =>
  JSON.parse(redactLine(`${JSON.stringify(entry)}\n`, redact));

describe('redactLine', () => {
  it.each([
    'token',
    'streamKey',
    'STREAM_KEY',
    'authorization',
    'Authorization',
    'proxy-authorization',
    'accessToken',
    'access_token',
    'x-api-key',
    'clientSecret',
    'dbPassword',
    'set-cookie',
    'privateKey',
  ])('writes nothing of what the key %s holds, at any depth', (key) => {
    const holder = { [key]: SECRET, name: 'x' };
    const shown = { [key]: '[redacted]', name: 'x' };
    expect(
      written({
        ...holder,
        inner: holder,
        list: [holder, [holder]],
        deep: { a: { b: { c: { d: [{ e: holder }] } } } },
      }),
    ).toEqual({
      ...shown,
      inner: shown,
      list: [shown, [shown]],
      deep: { a: { b: { c: { d: [{ e: shown }] } } } },
    });
  });

  it('redacts its value whatever the type, unless it reveals nothing', () => {
    expect(
      written({
        token: 7,
        cookie: [SECRET],
        authorization: { Bot: SECRET },
        hasToken: true,
        password: null,
      }),
    ).toEqual({
      token: '[redacted]',
      cookie: '[redacted]',
      authorization: '[redacted]',
      hasToken: true,
      password: null,
    });
  });

  it.each([
    [{}],
    [{ command: 'x', ms: 3, list: ['token'], none: null, maxTokens: 512, tokenCount: 3 }],
    [{ msg: 'the "token": abc', key: 'a', inner: { keys: [], monkey: 'b' } }],
  ])('returns a line without secrets as it is: %j', (entry) => {
    const line = `${JSON.stringify(entry)}\n`;
    expect(redactLine(line, redact)).toBe(line);
  });

  it('takes out what the redactor knows, from values and keys, and keeps to JSON', () => {
    expect(
      written({
        level: 30,
        time: 1790000000000,
        msg: 'hunter22',
        'of hunter22': ['x hunter22 x', { a: 'say "please"' }],
        count: 12345678,
        price: 123456789,
      }),
    ).toEqual({
      level: 30,
      time: 1790000000000,
      msg: '[redacted]',
      'of [redacted]': ['x [redacted] x', { a: '[redacted]' }],
      count: '[redacted]',
      price: 123456789,
    });
  });

  it('takes secrets out of a line that is no JSON', () => {
    expect(redactLine('{ hunter22', redact)).toBe('{ [redacted]');
  });
});

describe('redactLines', () => {
  const lines = (...entries: readonly object[]): string =>
    entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

  it('redacts each line that contains a secret or the name of one', () => {
    const plain = { msg: 'x\n\u2028' };
    expect(
      redactLines(lines(plain, { msg: 'hunter22' }, plain, { token: SECRET }, plain), redact),
    ).toBe(lines(plain, { msg: '[redacted]' }, plain, { token: '[redacted]' }, plain));
  });

  it('keeps the lines around a match that is longer than a line', () => {
    const both = lines({ msg: 'a' }, { msg: 'b' });
    expect(redactLines(both, createRedactor([both.slice(4, -4)]))).toBe(both);
  });

  it.each(['', '{}\n', lines({ msg: 'a' }, { msg: 'b' })])('returns %j as it is', (plain) => {
    expect(redactLines(plain, redact)).toBe(plain);
  });
});
