import { describe, expect, it } from 'vitest';
import { silentLog } from './log.js';

describe('silentLog', () => {
  it('takes a line of every level and keeps nothing', () => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    expect(Object.keys(silentLog).toSorted()).toEqual(levels.toSorted());
    for (const level of levels) {
      expect(silentLog[level]({ count: 1 }, 'something happened')).toBeUndefined();
    }
  });
});
