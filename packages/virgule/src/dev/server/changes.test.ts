import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Changes } from './dev-server.js';

function open() {
  const clock = createFakeClock();
  let isHeld = false;
  const changes = new Changes(clock, () => isHeld);
  let isQuiet = false;
  return {
    clock,
    changes,
    hold: (held: boolean) => void (isHeld = held),
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

  it('waits while git writes, however long it pauses, but no longer than 5 s', async () => {
    const { clock, changes, hold, wait, isQuiet } = open();
    hold(true);
    changes.add('a');
    wait();
    await clock.advance(2_000);
    expect(isQuiet()).toBe(false);
    hold(false);
    await clock.advance(100);
    expect(isQuiet()).toBe(true);

    const stuck = open();
    stuck.hold(true);
    stuck.changes.add('a');
    stuck.wait();
    await stuck.clock.advance(4_999);
    expect(stuck.isQuiet()).toBe(false);
    await stuck.clock.advance(1);
    expect(stuck.isQuiet()).toBe(true);
  });
});
