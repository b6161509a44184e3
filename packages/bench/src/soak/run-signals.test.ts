import { describe, expect, it } from 'vitest';
import { judgeSignals } from './run-signals.js';

const clean = {
  uses: 1_000_000,
  perSecond: 20_000,
  maxListeners: 1,
  leakedListeners: 0,
  heapGrowthMiB: 0.3,
  leakedHandles: 0,
};

describe('judgeSignals', () => {
  it('accepts a signal without leaks', () => {
    expect(judgeSignals(clean)).toEqual([]);
    expect(judgeSignals({ ...clean, heapGrowthMiB: -1, leakedHandles: -1 })).toEqual([]);
  });

  it('reports leaks', () => {
    expect(judgeSignals({ ...clean, maxListeners: 64 })).toEqual([
      'the signal had 64 listeners at once',
    ]);
    expect(judgeSignals({ ...clean, leakedListeners: 1 })).toEqual(['leaked listeners: 1']);
    expect(judgeSignals({ ...clean, heapGrowthMiB: 90 })).toEqual(['the heap grew by 90.0 MiB']);
    expect(judgeSignals({ ...clean, leakedHandles: 2 })).toEqual(['handles open after close: 2']);
  });
});
