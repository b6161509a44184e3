import { createRedactor } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { redactLine } from './redact-line.js';

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
