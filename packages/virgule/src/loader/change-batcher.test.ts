import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createChangeBatcher } from './change-batcher.js';

function start() {
  const clock = createFakeClock();
  const batches: (readonly string[])[] = [];
  const batcher = createChangeBatcher({ clock, onBatch: (paths) => batches.push(paths) });
  return { clock, batches, batcher };
}

describe('createChangeBatcher', () => {
  it('tells the first change without waiting, with those of the same turn', async () => {
    const { batches, batcher } = start();
    batcher.add('a');
    batcher.add('b');
    batcher.add('a');
    await Promise.resolve();
    expect(batches).toEqual([['a', 'b']]);
  });

  it('tells what follows within 10 ms together, again and again', async () => {
    const { clock, batches, batcher } = start();
    batcher.add('a');
    await clock.advance(4);
    batcher.add('b');
    batcher.add('c');
    await clock.advance(5);
    expect(batches).toEqual([['a']]);
    await clock.advance(1);
    expect(batches).toEqual([['a'], ['b', 'c']]);
    batcher.add('b');
    await clock.advance(10);
    expect(batches).toEqual([['a'], ['b', 'c'], ['b']]);
  });

  it('tells the next change at once after a rest', async () => {
    const { clock, batches, batcher } = start();
    batcher.add('a');
    await clock.advance(10);
    expect(clock.pending).toBe(0);
    batcher.add('b');
    await Promise.resolve();
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('tells nothing once closed', async () => {
    const { clock, batches, batcher } = start();
    batcher.add('a');
    await clock.advance(1);
    batcher.add('b');
    batcher.close();
    batcher.add('c');
    await clock.advance(50);
    expect(batches).toEqual([['a']]);
    expect(clock.pending).toBe(0);
  });
});
