import { type Log, silentLog } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import { cleanToken, isSendable, redact } from './token.js';

describe('cleanToken', () => {
  it.each(['abc', ' abc', 'abc\n', 'Bot abc', 'bot  abc ', '\tBot\tabc'])('reads %j', (token) => {
    const warn = vi.fn<Log['warn']>();
    expect(cleanToken(token, { ...silentLog, warn })).toBe('abc');
    expect(warn).toHaveBeenCalledTimes(token === 'abc' ? 0 : 1);
  });

  it('reads a variable that is not set as an empty token', () => {
    // Value that plain JavaScript can pass, against the types.
    expect(cleanToken(undefined as unknown as string, silentLog)).toBe('');
  });

  it('leaves a token alone that begins with the letters Bot', () => {
    expect(cleanToken('Botany.7', silentLog)).toBe('Botany.7');
  });
});

describe('isSendable', () => {
  it('says no to what a header cannot carry', () => {
    expect(['a.b-c_d/e+f=', '', 'a b', 'a\nb', 'ä', '\u0000'].map(isSendable)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('redact', () => {
  it('takes out every occurrence, and nothing for an empty token', () => {
    expect(redact('x abc y abc', 'abc')).toBe('x [token] y [token]');
    expect(redact('x', '')).toBe('x');
  });
});
