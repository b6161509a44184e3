import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from './fake-clock.js';

const MAX_DELAY_MS = 2 ** 31 - 1;

/** A clock, and the timers that fired on it with their times since the start. */
function recorded() {
  const clock = createFakeClock();
  const start = clock.monotonic();
  const fired: string[] = [];
  const record = (name: string) => (): void =>
    void fired.push(`${name}@${clock.monotonic() - start}`);
  return { clock, fired, record };
}

describe('createFakeClock', () => {
  it('does not move by itself', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('now'), 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fired).toEqual([]);
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1));
  });

  it('starts at nowMs and advances both readings by the same amount', async () => {
    const clock = createFakeClock({ nowMs: 1_000 });
    const start = clock.monotonic();
    await clock.advance(250);
    expect([clock.now(), clock.monotonic() - start]).toEqual([1_250, 250]);
  });

  it('has a wall clock of whole milliseconds', async () => {
    const clock = createFakeClock({ nowMs: 1_000 });
    await clock.advance(0.75);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 1_000.75]);
  });

  it('fires timers in order of time, and in the order in which they were set when they are due together', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('late'), 30);
    clock.setTimeout(record('first'), 10);
    clock.setTimeout(record('second'), 10);
    clock.setTimeout(record('soon'), 5);
    await clock.advance(30);
    expect(fired).toEqual(['soon@5', 'first@10', 'second@10', 'late@30']);
  });

  it('fires a timer that is due exactly at the end, and none after it', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('at'), 10);
    clock.setTimeout(record('after'), 10.5);
    await clock.advance(10);
    expect(fired).toEqual(['at@10']);
    await clock.advance(0.5);
    expect(fired).toEqual(['at@10', 'after@10.5']);
  });

  it('adds up several steps', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('timer'), 100);
    await clock.advance(40);
    clock.setTimeout(record('later'), 100);
    await clock.advance(59);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual(['timer@100']);
    await clock.advance(40);
    expect(fired).toEqual(['timer@100', 'later@140']);
  });

  it('fires a timer once', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('timer'), 1);
    await clock.advance(10);
    await clock.advance(10);
    expect(fired).toEqual(['timer@1']);
  });

  it('fires timers that timers set', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(() => {
      record('outer')();
      clock.setTimeout(record('inner'), 10);
      clock.setTimeout(record('at once'), 0);
      clock.setTimeout(record('too late'), 11);
    }, 10);
    clock.setTimeout(record('between'), 15);
    await clock.advance(20);
    expect(fired).toEqual(['outer@10', 'at once@10', 'between@15', 'inner@20']);
    expect(clock.pending).toBe(1);
  });

  it('fires timers that promises set, before time advances further', async () => {
    const { clock, fired, record } = recorded();
    const chain = async (): Promise<void> => {
      await Promise.resolve();
      clock.setTimeout(record('from a promise'), 5);
      await clock.sleep(10);
      record('slept')();
      await Promise.resolve();
      await clock.sleep(10);
      record('slept again')();
    };
    const done = chain();
    await clock.advance(20);
    await done;
    expect(fired).toEqual(['from a promise@5', 'slept@10', 'slept again@20']);
  });

  it('does not fire a canceled timer, even if another timer canceled it', async () => {
    const { clock, fired, record } = recorded();
    const early = clock.setTimeout(record('canceled early'), 5);
    early.cancel();
    early.cancel();
    const late = clock.setTimeout(record('canceled on the way'), 10);
    const cancels = clock.setTimeout(() => late.cancel(), 7);
    await clock.advance(20);
    cancels.cancel();
    expect(fired).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('counts pending timers and sleeps', async () => {
    const { clock, record } = recorded();
    expect(clock.pending).toBe(0);
    const timer = clock.setTimeout(record('a'), 10);
    clock.setTimeout(record('b'), 20);
    const slept = clock.sleep(30);
    expect(clock.pending).toBe(3);
    timer.cancel();
    expect(clock.pending).toBe(2);
    await clock.advance(20);
    expect(clock.pending).toBe(1);
    await clock.advance(10);
    await slept;
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['a negative delay', -5, 0],
    ['no number', Number.NaN, 0],
    ['a delay longer than Node.js takes', 2 ** 31, MAX_DELAY_MS],
    ['an endless delay', Number.POSITIVE_INFINITY, MAX_DELAY_MS],
  ])('clamps %s like the system clock', async (_what, delayMs, actualMs) => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('timer'), delayMs);
    const slept = clock.sleep(delayMs).then(record('sleep'));
    if (actualMs > 0) await clock.advance(actualMs - 1);
    expect(fired).toEqual([]);
    await clock.advance(actualMs > 0 ? 1 : 0);
    await slept;
    expect(fired).toEqual([`timer@${actualMs}`, `sleep@${actualMs}`]);
  });

  it('rejects advance when a timer throws, and fires the others at the next advance', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(() => {
      throw new Error('broken');
    }, 5);
    clock.setTimeout(record('next'), 10);
    await expect(clock.advance(20)).rejects.toThrow('broken');
    expect(fired).toEqual([]);
    await clock.advance(20);
    expect(fired).toEqual(['next@10']);
  });

  it('can stall like a blocked event loop: timers that fall due meanwhile fire late', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('due'), 100);
    clock.setTimeout(record('not yet'), 400);
    await clock.advance(50);
    clock.stall(250);
    expect(fired).toEqual([]);
    await clock.advance(0);
    expect(fired).toEqual(['due@300']);
    clock.stall(-5);
    expect(clock.monotonic() - clock.now()).toBe(0);
    await clock.advance(100);
    expect(fired).toEqual(['due@300', 'not yet@400']);
  });

  it('fires the timers that fell due before a stall returns, with fireTimers', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('late'), 200);
    clock.setTimeout(() => {
      record('early')();
      clock.setTimeout(record('set by a timer'), 0);
      canceled.cancel();
    }, 100);
    const canceled = clock.setTimeout(record('canceled'), 150);
    clock.setTimeout(record('not yet'), 400);
    clock.stall(250, { fireTimers: true });
    expect(fired).toEqual(['early@250', 'late@250']);
    await clock.advance(0);
    expect(fired).toEqual(['early@250', 'late@250', 'set by a timer@250']);
    expect(clock.pending).toBe(1);
  });

  it('shifts the wall clock without moving time', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('timer'), 100);
    const [wallMs, monotonicMs] = [clock.now(), clock.monotonic()];
    clock.shiftWallClock(-3_600_000);
    clock.shiftWallClock(1_000);
    expect([clock.now() - wallMs, clock.monotonic() - monotonicMs]).toEqual([-3_599_000, 0]);
    await clock.advance(100);
    expect(fired).toEqual(['timer@100']);
    expect([clock.now() - wallMs, clock.elapsedMs]).toEqual([-3_598_900, 100]);
  });

  it.each(['timers', 'sleeps'])(
    'skips routine %s but for the last minute before any other timer, and before the end',
    async (what) => {
      const { clock, fired, record } = recorded();
      const wait = (): unknown =>
        what === 'sleeps'
          ? clock.sleep(40_000, { isRoutine: true }).then(beat)
          : clock.setTimeout(beat, 40_000, { isRoutine: true });
      const beat = (): void => {
        record('beat')();
        wait();
      };
      wait();
      clock.setTimeout(record('timer'), 3_600_000);
      await clock.advance(7_200_000, { skipRoutine: true });
      expect(fired).toEqual([
        'beat@3540000',
        'beat@3580000',
        'timer@3600000',
        'beat@7140000',
        'beat@7180000',
      ]);
      await clock.advance(80_000);
      expect(fired.slice(-2)).toEqual(['beat@7220000', 'beat@7260000']);
    },
  );

  it('stops until what a timer started has settled', async () => {
    const { clock, fired, record } = recorded();
    clock.setTimeout(record('first'), 10);
    clock.setTimeout(record('second'), 20);
    const settled = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      record('settled')();
    };
    await clock.advance(30, { settled });
    expect(fired).toEqual(['settled@0', 'first@10', 'settled@10', 'second@20', 'settled@20']);
  });

  it('never goes back, not even with two concurrent or negative advances', async () => {
    const clock = createFakeClock({ nowMs: 0 });
    await Promise.all([clock.advance(10), clock.advance(4)]);
    expect(clock.monotonic()).toBe(10);
    await clock.advance(-3);
    expect(clock.monotonic()).toBe(10);
  });
});

describe('sleep of the fake clock', () => {
  it('resolves with undefined when it is due', async () => {
    const { clock, fired, record } = recorded();
    const slept = clock.sleep(50).then((value) => {
      record('slept')();
      return value;
    });
    await clock.advance(49);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(await slept).toBeUndefined();
    expect(fired).toEqual(['slept@50']);
  });

  it('rejects with the reason of the signal when it aborts', async () => {
    const { clock } = recorded();
    const controller = new AbortController();
    const reason = new Error('stopped');
    const slept = clock.sleep(50, { signal: controller.signal });
    controller.abort(reason);
    await expect(slept).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it('rejects if the signal is already aborted', async () => {
    const { clock } = recorded();
    const slept = clock.sleep(50, { signal: AbortSignal.abort('stopped') });
    expect(clock.pending).toBe(0);
    await expect(slept).rejects.toBe('stopped');
  });

  it('removes its listener from the signal, however it ends', async () => {
    const { clock } = recorded();
    const controller = new AbortController();
    const { signal } = controller;
    const slept = clock.sleep(50, { signal });
    await clock.advance(50);
    await slept;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    const stopped = clock.sleep(50, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    controller.abort();
    await expect(stopped).rejects.toThrow('aborted');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ignores a signal that aborts afterwards', async () => {
    const { clock } = recorded();
    const controller = new AbortController();
    const slept = clock.sleep(50, { signal: controller.signal });
    await clock.advance(50);
    controller.abort();
    await expect(slept).resolves.toBeUndefined();
  });
});
