import { describe, expect, it } from 'vitest';
import { isKept, silentLog } from './log.js';

describe('silentLog', () => {
  it('takes a line of every level and keeps nothing', () => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    for (const level of levels) {
      expect(silentLog[level]({ count: 1 }, 'something happened')).toBeUndefined();
      expect(isKept(silentLog, level)).toBe(false);
    }
  });
});

describe('isKept', () => {
  const { isLevelEnabled: _, ...plain } = silentLog;

  it('takes every level to be kept by a log that does not say', () => {
    expect(isKept(plain, 'debug')).toBe(true);
  });

  it('asks a log that does', () => {
    const log = { ...plain, isLevelEnabled: (level: string) => level !== 'debug' };
    expect([isKept(log, 'debug'), isKept(log, 'info')]).toEqual([false, true]);
  });
});
