import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { watchStalls } from './watch-stalls.js';

/** A clock whose timers can be late. */
function openWatch() {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  let lostMs = 0;
  const late = {
    monotonic: () => clock.monotonic() + lostMs,
    setTimeout: clock.setTimeout.bind(clock),
  };
  const watch = watchStalls(late);
  return {
    clock,
    lose: (ms: number): void => void (lostMs += ms),
    end: () => watch.end().map(({ fromMs, toMs }) => [fromMs - startMs, toMs - startMs]),
  };
}

describe('watchStalls', () => {
  it('notes nothing while it is woken in time, or a little late', async () => {
    const { clock, lose, end } = openWatch();
    for (let time = 0; time < 20; time += 1) {
      lose(40);
      await clock.advance(50);
    }
    expect(end()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('records a stall from its start to half a second after its end', async () => {
    const { clock, lose, end } = openWatch();
    await clock.advance(100);
    lose(300);
    await clock.advance(500);
    expect(end()).toEqual([[100, 950]]);
  });

  it('merges consecutive stalls', async () => {
    const { clock, lose, end } = openWatch();
    for (let time = 0; time < 3; time += 1) {
      lose(200);
      await clock.advance(100);
    }
    await clock.advance(1_000);
    lose(200);
    await clock.advance(50);
    expect(end()).toEqual([
      [0, 1_350],
      [1_900, 2_650],
    ]);
  });
});
