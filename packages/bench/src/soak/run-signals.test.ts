import { describe, expect, it } from 'vitest';
import { judgeSignals } from './run-signals.js';

const clean = {
  uses: 1_000_000,
  perSecond: 20_000,
  mostListeners: 1,
  leftListeners: 0,
  heapGrowthMiB: 0.3,
  leftHandles: 0,
};

describe('judgeSignals', () => {
  it('has nothing to say when nothing stayed behind', () => {
    expect(judgeSignals(clean)).toEqual([]);
    expect(judgeSignals({ ...clean, heapGrowthMiB: -1, leftHandles: -1 })).toEqual([]);
  });

  it('names what did', () => {
    expect(judgeSignals({ ...clean, mostListeners: 64 })).toEqual([
      'a signal had 64 listeners at a time',
    ]);
    expect(judgeSignals({ ...clean, leftListeners: 1 })).toEqual(['1 listeners were left']);
    expect(judgeSignals({ ...clean, heapGrowthMiB: 90 })).toEqual(['the heap grew by 90.0 MiB']);
    expect(judgeSignals({ ...clean, leftHandles: 2 })).toEqual(['2 handles were left']);
  });
});
