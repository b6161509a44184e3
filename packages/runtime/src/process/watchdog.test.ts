import { describe, expect, it } from 'vitest';
import { countStall, type Stall } from './watchdog.js';

/** The ticks of some seconds: whether the main thread had a heartbeat, and the CPU time of the process. */
type Ticks = readonly (readonly [hasBeat: boolean, cpuMs: number])[];

const seconds = (count: number, hasBeat: boolean, cpuMs: number): Ticks =>
  Array.from({ length: count }, () => [hasBeat, cpuMs] as const);

function longest(ticks: Ticks): number {
  let stall: Stall = { beat: 0, ticks: 0 };
  let beat = 0;
  let max = 0;
  for (const [hasBeat, cpuMs] of ticks) {
    if (hasBeat) beat += 1;
    stall = countStall(stall, { beat, cpuMs });
    max = Math.max(max, stall.ticks);
  }
  return max;
}

describe('countStall', () => {
  it.each<[string, Ticks, number]>([
    ['a loop of 60 s', seconds(60, false, 990), 60],
    ['a loop of 20 s', [...seconds(20, false, 990), ...seconds(60, true, 5)], 20],
    ['a loop that shares its core with others', seconds(60, false, 60), 60],
    [
      'two loops of 20 s',
      [...seconds(20, false, 990), [true, 990], ...seconds(20, false, 990)],
      20,
    ],
    ['a handler that is busy and yields', seconds(300, true, 990), 0],
    // Suspended, it has no ticks; the one that is due comes late, possibly before the first heartbeat.
    ['SIGSTOP for any time', [...seconds(9, true, 5), [false, 30], ...seconds(9, true, 5)], 0],
    [
      'SIGSTOP in a loop of 20 s',
      [...seconds(10, false, 990), [false, 20], ...seconds(9, false, 990)],
      19,
    ],
    ['a debugger that has paused it, and any other wait', seconds(600, false, 2), 0],
  ])('counts of %s', (_, ticks, expected) => {
    expect(longest(ticks)).toBe(expected);
  });
});
