import { describe, expect, it } from 'vitest';
import { createRedactor } from './redactor.js';

describe('createRedactor', () => {
  it('takes a secret out wherever it stands', () => {
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

  it('takes a password that is no proper part of an address as it stands', () => {
    const redact = createRedactor(['postgres://ann:50%off!@db.example/songs']);
    expect(redact('password "50%off!" refused')).toBe('password "[redacted]" refused');
  });

  it('changes nothing without secrets', () => {
    expect(createRedactor([])('text')).toBe('text');
    expect(createRedactor([''])('text')).toBe('text');
  });
});
