import { describe, expect, it } from 'vitest';
import { isKept, silentLog } from './log.js';

describe('silentLog', () => {
  it('accepts lines of every level and writes none', () => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    for (const level of levels) {
      expect(silentLog[level]({ count: 1 }, 'something happened')).toBeUndefined();
      expect(isKept(silentLog, level)).toBe(false);
    }
  });
});

describe('isKept', () => {
  const { isLevelEnabled: _, ...plain } = silentLog;

  it('is true for every level of a log without isLevelEnabled', () => {
    expect(isKept(plain, 'debug')).toBe(true);
  });

  it('calls isLevelEnabled if there is one', () => {
    const log = { ...plain, isLevelEnabled: (level: string) => level !== 'debug' };
    expect([isKept(log, 'debug'), isKept(log, 'info')]).toEqual([false, true]);
  });
});
