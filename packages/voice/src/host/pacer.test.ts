import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createPacer } from './paced-stream.js';

describe('createPacer', () => {
  it('calls every stream each 20 ms', async () => {
    const clock = createFakeClock();
    const pacer = createPacer(clock);
    const calls: string[] = [];
    pacer.add((count) => calls.push(`a${count}@${clock.elapsedMs}`));
    await clock.advance(20);
    pacer.add((count) => calls.push(`b${count}@${clock.elapsedMs}`));
    await clock.advance(20);
    expect(calls).toEqual(['a1@20', 'a1@40', 'b1@40']);
  });

  it('counts the frames of a blocked event loop, and stays on its schedule', async () => {
    const clock = createFakeClock();
    const counts: number[] = [];
    createPacer(clock).add((count) => counts.push(count));
    await clock.advance(20);
    clock.stall(1_005);
    await clock.advance(0);
    expect(counts).toEqual([1, 50]);
    await clock.advance(15);
    expect(counts).toEqual([1, 50, 1]);
  });

  it('is as many frames after an hour as there are, however late its timers fire', async () => {
    const clock = createFakeClock();
    let frames = 0;
    createPacer(clock).add((count) => (frames += count));
    for (let round = 0; round < 1_000; round += 1) {
      clock.stall(21.7);
      await clock.advance(0);
    }
    expect(frames).toBe(Math.floor((1_000 * 21.7) / 20));
  });

  it('has no timer without streams', async () => {
    const clock = createFakeClock();
    const pacer = createPacer(clock);
    const leave = [pacer.add(() => {}), pacer.add(() => {})];
    leave[0]?.();
    expect(clock.pending).toBe(1);
    leave[1]?.();
    leave[1]?.();
    expect(clock.pending).toBe(0);
  });
});
