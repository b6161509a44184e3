import { describe, expect, it } from 'vitest';
import { createFakeClock } from './fake-clock.js';
import { settlesWithin } from './settles-within.js';

describe('settlesWithin', () => {
  it.each([
    ['resolves', () => Promise.resolve()],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('returns true, and leaves no timer, for a promise that %s', async (_, make) => {
    const clock = createFakeClock();
    expect(await settlesWithin(make(), 1_000, clock)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('returns false when the time is up, and handles a rejection after that', async () => {
    const clock = createFakeClock();
    const { promise, reject } = rejectable();
    const waited = settlesWithin(promise, 1_000, clock);
    await clock.advance(999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await waited).toBe(false);
    reject(new Error('late'));
    await expect(promise).rejects.toThrow('late');
  });
});

function rejectable() {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, rejects) => (reject = rejects));
  return { promise, reject: (error: Error) => reject(error) };
}
