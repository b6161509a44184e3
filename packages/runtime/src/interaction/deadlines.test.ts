import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeadlines } from './deadlines.js';

/** Deadlines of a fake clock, and the names of those that were reached with their times. */
function recorded() {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const deadlines = createDeadlines(clock);
  const fired: string[] = [];
  const add = (name: string, inMs: number) =>
    deadlines.add(startMs + inMs, () => void fired.push(`${name}@${clock.monotonic() - startMs}`));
  return { clock, startMs, deadlines, fired, add };
}

/** A clock that counts how many timers were ever set. */
function counting(clock: FakeClock) {
  let timers = 0;
  const counted: FakeClock = {
    ...clock,
    setTimeout: (callback, delayMs) => {
      timers += 1;
      return clock.setTimeout(callback, delayMs);
    },
    monotonic: () => clock.monotonic(),
    get pending() {
      return clock.pending;
    },
  };
  return { counted, timers: () => timers };
}

describe('createDeadlines', () => {
  it('calls each deadline at its time, in order of time, and in order of adding when they fall together', async () => {
    const { clock, fired, add } = recorded();
    add('last', 900_000);
    add('b', 1_500);
    add('a', 100);
    add('c', 1_500);
    await clock.advance(1_499);
    expect(fired).toEqual(['a@100']);
    await clock.advance(1);
    expect(fired).toEqual(['a@100', 'b@1500', 'c@1500']);
    await clock.advance(900_000);
    expect(fired.at(-1)).toBe('last@900000');
  });

  it('never calls one that was taken back, and taking back twice or too late does nothing', async () => {
    const { clock, fired, add } = recorded();
    const takeBack = add('a', 100);
    const tooLate = add('b', 200);
    takeBack();
    takeBack();
    await clock.advance(250);
    tooLate();
    add('c', 300);
    await clock.advance(100);
    expect(fired).toEqual(['b@200', 'c@300']);
  });

  it('calls one that is already past as soon as timers run, not at once', async () => {
    const { clock, fired, add } = recorded();
    await clock.advance(500);
    add('late', 100);
    expect(fired).toEqual([]);
    await clock.advance(0);
    expect(fired).toEqual(['late@500']);
  });

  it('keeps one timer however many deadlines there are, and none when none is left', async () => {
    const { clock, add } = recorded();
    const takeBacks = Array.from({ length: 50 }, (_, n) => add(String(n), 1_000 + n));
    expect(clock.pending).toBe(1);
    add('sooner', 10);
    expect(clock.pending).toBe(1);
    for (const takeBack of takeBacks) takeBack();
    await clock.advance(2_000);
    expect(clock.pending).toBe(0);
  });

  it('sets no timer for a deadline that is later than the one it waits for', () => {
    const { counted, timers } = counting(createFakeClock());
    const deadlines = createDeadlines(counted);
    for (let n = 0; n < 1_000; n += 1) deadlines.add(counted.monotonic() + 1_500 + n, () => {});
    expect(timers()).toBe(1);
  });

  it('waits for a deadline beyond the longest timer', async () => {
    const { clock, fired, add } = recorded();
    const yearMs = 365 * 86_400_000;
    add('year', yearMs);
    await clock.advance(yearMs - 1);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([`year@${yearMs}`]);
  });

  it('takes deadlines that are added while others are called', async () => {
    const { clock, startMs, deadlines, fired, add } = recorded();
    deadlines.add(startMs + 100, () => {
      add('now', 100);
      add('soon', 150);
    });
    add('then', 120);
    await clock.advance(200);
    expect(fired).toEqual(['now@100', 'then@120', 'soon@150']);
  });

  it('forgets deadlines that were taken back behind one that stays', async () => {
    const { clock, startMs, deadlines, fired, add } = recorded();
    add('a command that runs for minutes', 900_000);
    // A search that met every one of them would take minutes, and end by the limit of the test.
    for (let n = 0; n < 200_000; n += 1) {
      deadlines.add(startMs + 1_000_000 + n, () => {})();
      deadlines.add(startMs + 1_500 + n / 1_000, () => {})();
    }
    await clock.advance(900_000);
    expect(fired).toEqual(['a command that runs for minutes@900000']);
  });

  it('calls what was not taken back, in order, whatever was added and taken back', async () => {
    const step = fc.record({
      inMs: fc.integer({ min: 0, max: 300 }),
      takeBack: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 300 }), async (steps) => {
        const { clock, fired, add } = recorded();
        const taken = steps.map(({ inMs }, index) => add(String(index), inMs));
        steps.forEach(({ takeBack }, index) => takeBack && taken[index]?.());
        await clock.advance(400);
        const expected = steps
          .map(({ inMs, takeBack }, index) => ({ inMs, takeBack, index }))
          .filter(({ takeBack }) => !takeBack)
          .sort((a, b) => a.inMs - b.inMs || a.index - b.index)
          .map(({ index }) => String(index));
        expect(fired.map((line) => line.split('@')[0])).toEqual(expected);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
