import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Changes } from './dev-server.js';

function open() {
  const clock = createFakeClock();
  const changes = new Changes(clock);
  let isQuiet = false;
  return {
    clock,
    changes,
    wait: () => void changes.quiet().then(() => (isQuiet = true)),
    isQuiet: () => isQuiet,
  };
}

describe('Changes.quiet', () => {
  it('waits until no file has changed for 20 ms', async () => {
    const { clock, changes, wait, isQuiet } = open();
    changes.add('a');
    wait();
    await clock.advance(15);
    changes.add('b');
    await clock.advance(19);
    expect(isQuiet()).toBe(false);
    await clock.advance(1);
    expect([isQuiet(), changes.take(), changes.isEmpty]).toEqual([true, ['a', 'b'], true]);
  });

  it('waits for many files until none has changed for 100 ms, but no longer than 5 s', async () => {
    const { clock, changes, wait, isQuiet } = open();
    for (const file of 'abcde') changes.add(file);
    wait();
    for (let n = 0; n < 55; n += 1) {
      await clock.advance(90);
      changes.add(String(n));
    }
    expect(isQuiet()).toBe(false);
    await clock.advance(50);
    expect(isQuiet()).toBe(true);
  });
});
