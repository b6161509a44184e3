import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { RefusalGuard } from './guards.js';

function createGuard() {
  const clock = createFakeClock();
  const logged: number[] = [];
  const guard = new RefusalGuard(clock, {
    warn: (details) => logged.push(Number(Object(details).count)),
  });
  const note = (times: number, status = 403): void => {
    for (let time = 0; time < times; time += 1) guard.note(status);
  };
  return { clock, logged, guard, note };
}

describe('RefusalGuard', () => {
  it.each([401, 403, 404, 429])('counts %d', (status) => {
    const { guard } = createGuard();
    guard.note(status);
    expect(guard.count).toBe(1);
  });

  it.each([200, 301, 400, 409, 500, 503])('does not count %d', (status) => {
    const { guard } = createGuard();
    guard.note(status);
    expect(guard.count).toBe(0);
  });

  it('warns once at 100 and blocks at 1,000', () => {
    const { logged, guard, note } = createGuard();
    note(99);
    expect(logged).toEqual([]);
    note(900, 404);
    expect(logged).toEqual([100]);
    expect(guard.blocks).toBe(false);
    note(1, 429);
    expect(guard.blocks).toBe(true);
  });

  it('forgets after ten minutes, and warns again the next time', async () => {
    const { clock, logged, guard, note } = createGuard();
    note(600);
    await clock.advance(300_000);
    note(400);
    expect(guard.blocks).toBe(true);
    await clock.advance(300_000);
    expect(guard.count).toBe(400);
    expect(guard.blocks).toBe(false);
    await clock.advance(3_600_000);
    expect(guard.count).toBe(0);
    note(100);
    expect(logged).toEqual([100, 100]);
  });
});
