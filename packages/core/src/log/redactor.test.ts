import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.js';

describe('createRedactor', () => {
  it('replaces a secret anywhere in a text', () => {
    const redact = createRedactor(['hunter22', 'other-secret']);
    expect(redact('hunter22 and xhunter22x, other-secret')).toBe(
      '[redacted] and x[redacted]x, [redacted]',
    );
  });

  it.each([
    ['quotes', 'my "secret" key'],
    ['a line break', 'line one\nline two'],
    ['a backslash', String.raw`back\slash\key`],
    ['letters of patterns', 'a+b(c)[d]{e}^$|.*?'],
    ['letters of any kind', 'größe 机器人 🔑'],
  ])('finds one with %s as a text, in JSON and in an address', (_, secret) => {
    const redact = createRedactor([secret]);
    expect(redact(`<${secret}>`)).toBe('<[redacted]>');
    expect(JSON.parse(redact(JSON.stringify({ at: `<${secret}>` })))).toEqual({
      at: '<[redacted]>',
    });
    expect(redact(`?key=${encodeURIComponent(secret)}&x=1`)).toBe('?key=[redacted]&x=1');
  });

  it('takes the whole of two secrets of which one holds the other', () => {
    expect(createRedactor(['abcdefgh', 'abcdefghij'])('abcdefghij')).toBe('[redacted]');
  });

  it('knows the password inside an address', () => {
    const redact = createRedactor(['postgres://ann:p%40ssword@db.example/songs']);
    expect(redact('password "p@ssword" refused, p%40ssword')).toBe(
      'password "[redacted]" refused, [redacted]',
    );
    expect(createRedactor(['postgres://ann:abc@db.example'])('abc')).toBe('abc');
  });

  it('replaces a password with invalid percent-encoding unchanged', () => {
    const redact = createRedactor(['postgres://ann:50%off!@db.example/songs']);
    expect(redact('password "50%off!" refused')).toBe('password "[redacted]" refused');
  });

  it.each([
    ['of several hosts', 'mongodb://app:pass-a@h1:27017,h2:27017/db'],
    ['beside another', 'redis://x:other@r:1 postgres://app:pass-a@db/songs'],
    ['with what has to be encoded', 'postgres://app:pass-a#b/c@db/songs', 'pass-a#b/c'],
    ['in a connection string', 'Server=db;User Id=app;Password=pass-a;'],
    ['in JSON', '{"user":"app","password":"pass-a","port":1}'],
    ['instead of a user', 'https://pass-a0123@errors.example/1', 'pass-a0123'],
  ])('finds a password in an address %s', (_, secret, password = 'pass-a') => {
    expect(createRedactor([secret])(`"${password}" refused`)).toBe('"[redacted]" refused');
  });

  it('does not mistake a port, path, host or user for a password', () => {
    const redact = createRedactor(['https://shop.example:8080/@ann', 'https://ann@shop.example/']);
    const text = 'ann 8080 /@ann shop.example 8080/';
    expect(redact(text)).toBe(text);
  });

  it('changes nothing without secrets', () => {
    expect(createRedactor([])('text')).toBe('text');
    expect(createRedactor([''])('text')).toBe('text');
  });

  it.each([[''], ['1'], ['ab'], ['key']])(
    'ignores %j, which is part of ordinary words',
    (secret) => {
      const text = 'a line with the key 1 and a tab';
      expect(createRedactor([secret])(text)).toBe(text);
    },
  );

  it('replaces one of four characters', () => {
    expect(createRedactor(['0042'])('PIN 0042')).toBe('PIN [redacted]');
  });

  it.each([['Bot xyz-token'], [' xyz-token '], ['Bearer xyz-token\n'], ['bot  xyz-token']])(
    'finds the token of %j as it is sent',
    (secret) => {
      expect(createRedactor([secret])('{"t":"xyz-token"}')).toBe('{"t":"[redacted]"}');
    },
  );

  it.each([
    ['as it is', (pem: string) => pem],
    ['with its lines joined', (pem: string) => pem.replaceAll('\n', '')],
    ['with its lines joined by blanks', (pem: string) => pem.replaceAll('\n', ' ')],
    ['with other line breaks', (pem: string) => pem.replaceAll('\n', '\r\n')],
    ['in JSON', (pem: string) => JSON.stringify({ key: pem })],
    [
      'in JSON inside of JSON',
      (pem: string) => JSON.stringify({ msg: JSON.stringify({ key: pem }) }),
    ],
    ['indented', (pem: string) => pem.replaceAll(/^/gm, '    ')],
    ['as a literal', (pem: string) => inspect({ key: { pem } })],
  ])('finds a key of several lines %s', (_, shown) => {
    const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
    const redacted = createRedactor([pem])(`<${shown(pem)}>`);
    expect(redacted).not.toMatch(/MIIE|BKcw|Us8cKj/);
    expect(redacted).toMatch(/^<.*>$/s);
  });

  it('finds the lines of a key that is written with \\n in the environment', () => {
    const redact = createRedactor(['-----BEGIN KEY-----\\nMIIE0123456789\\n-----END KEY-----']);
    expect(redact('<-----BEGIN KEY-----\nMIIE0123456789\n-----END KEY----->')).not.toContain(
      'MIIE',
    );
  });

  it('does not mistake words of a list or a sentence for secrets', () => {
    const redact = createRedactor(['development,production', 'Hello, everyone']);
    const text = 'production of everyone';
    expect(redact(text)).toBe(text);
    expect(redact('development,production')).toBe('[redacted]');
  });

  it('finds the long items of a list', () => {
    const redact = createRedactor(['first-key-1, second-key-2;third-key-3,short']);
    expect(redact('first-key-1 second-key-2 third-key-3 short')).toBe(
      '[redacted] [redacted] [redacted] short',
    );
  });

  it('finds a secret in the form of a query', () => {
    expect(createRedactor(['two words+'])('?q=two+words%2B')).toBe('?q=[redacted]');
  });

  it('treats half of a surrogate pair like any other character', () => {
    expect(createRedactor(['half-\uD83D-pair'])('half-\uD83D-pair')).toBe('[redacted]');
  });

  it('learns of more secrets, and of others', () => {
    const redact = createRedactor(['first-secret']);
    redact.hide(['second-secret']);
    expect(redact('first-secret second-secret')).toBe('[redacted] [redacted]');
    redact.set(['third-secret']);
    expect(redact('first-secret third-secret')).toBe('first-secret [redacted]');
  });
});
