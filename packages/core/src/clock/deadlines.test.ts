import { createFakeClock, type FakeClock } from './fake-clock.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeadlines } from './deadlines.js';

/** Deadlines of a fake clock, and the names and times of the reached ones. */
function recorded() {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const deadlines = createDeadlines(clock);
  const fired: string[] = [];
  /** Adds a deadline, and returns the function that cancels it. */
  const add = (name: string, inMs: number, aheadMs?: number) => {
    const fire = (): void => void fired.push(`${name}@${clock.monotonic() - startMs}`);
    const deadline = deadlines.add(startMs + inMs, fire, aheadMs);
    return () => deadlines.cancel(deadline);
  };
  return { clock, startMs, deadlines, fired, add };
}

/** A clock that counts the timers that were set. */
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

  it('calls one that may come ahead at its time while the event loop is free', async () => {
    const { clock, fired, add } = recorded();
    add('defer', 1_500, 500);
    add('other', 1_200);
    await clock.advance(970);
    // The check is 50 ms late, as timers may be.
    clock.stall(80);
    await clock.advance(2_000);
    expect(fired).toEqual(['other@1200', 'defer@1500']);
    expect(clock.pending).toBe(0);
  });

  it('calls one that may come ahead as soon as its look at the event loop is late', async () => {
    const { clock, fired, add } = recorded();
    add('defer', 1_500, 500);
    add('another', 1_550, 500);
    add('punctual', 1_500);
    await clock.advance(950);
    clock.stall(101);
    await clock.advance(0);
    expect(fired).toEqual(['defer@1051', 'another@1051']);
    await clock.advance(500);
    expect(fired.slice(2)).toEqual(['punctual@1500']);
  });

  it('looks at the next turn where the time to look ahead is past', async () => {
    const { clock, fired, add } = recorded();
    await clock.advance(1_200);
    add('free', 1_500, 500);
    await clock.advance(299);
    expect(fired).toEqual([]);
    await clock.advance(1);
    add('busy', 1_900, 500);
    clock.stall(51);
    await clock.advance(0);
    expect(fired).toEqual(['free@1500', 'busy@1551']);
  });

  it('can be taken back before and after the look', async () => {
    const { clock, fired, add } = recorded();
    const before = add('before', 1_500, 500);
    const after = add('after', 1_500, 500);
    before();
    await clock.advance(1_200);
    after();
    await clock.advance(1_000);
    expect([fired, clock.pending]).toEqual([[], 0]);
  });

  it('forgets deadlines that were taken back behind one that stays', async () => {
    const { clock, startMs, deadlines, fired, add } = recorded();
    add('a command that runs for minutes', 900_000);
    // A search through all of them would take minutes, and exceed the time limit of the test.
    for (let n = 0; n < 200_000; n += 1) {
      deadlines.cancel(deadlines.add(startMs + 1_000_000 + n, () => {}));
      deadlines.cancel(deadlines.add(startMs + 1_500 + n / 1_000, () => {}));
    }
    await clock.advance(900_000);
    expect(fired).toEqual(['a command that runs for minutes@900000']);
  });

  it('leaves nothing behind when it is cleared, and can be used again', async () => {
    const { clock, deadlines, fired, add } = recorded();
    const cancel = add('dropped', 10);
    deadlines.clear();
    expect(clock.pending).toBe(0);
    cancel();
    add('kept', 20);
    await clock.advance(20);
    expect(fired).toEqual(['kept@20']);
  });

  it('calls what was not canceled, in order, for any additions and cancellations', async () => {
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
