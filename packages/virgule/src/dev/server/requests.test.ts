import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Requests } from './requests.js';

describe('Requests', () => {
  it.each([
    [1, 10_000],
    [3, 10_200],
    [501, 60_000],
  ])('asks for a new process when a reload of %i files takes %i ms', async (count, limitMs) => {
    const clock = createFakeClock();
    const requests = new Requests({ clock, isPatient: false, send: () => {} });
    const replies: unknown[] = [];
    const files = Array.from({ length: count }, (_, n) => `commands/c${n}.ts`);
    void requests.change({ type: 'reload', files }).then((reply) => replies.push(reply));
    await clock.advance(limitMs - 1);
    expect(replies).toEqual([]);
    await clock.advance(1);
    expect(replies).toEqual([{ outcome: 'unchanged', restart: 'a reload did not finish' }]);
  });
});
