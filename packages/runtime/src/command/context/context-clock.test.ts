import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { scopeOf } from '../lifetime.js';
import { createContextClock } from './context-members.js';

function start() {
  const clock = createFakeClock();
  const abort = new AbortController();
  return { clock, abort, context: createContextClock(clock, scopeOf(abort.signal)) };
}

describe('ContextClock', () => {
  it('returns the time of its clock', async () => {
    const { clock, context } = start();
    await clock.advance(5_000);
    expect(context.now()).toBe(clock.now());
  });

  it('sleeps for a duration', async () => {
    const { clock, context } = start();
    let isAwake = false;
    void context.sleep('1.5s').then(() => (isAwake = true));
    await clock.advance(1_499);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    expect(isAwake).toBe(true);
  });

  it('sleeps for longer than a timer can', async () => {
    const { clock, context } = start();
    let isAwake = false;
    void context.sleep('60d').then(() => (isAwake = true));
    await clock.advance(60 * 86_400_000 - 1);
    expect(isAwake).toBe(false);
    await clock.advance(1);
    expect([isAwake, clock.pending]).toEqual([true, 0]);
  });

  it('wakes with the reason when the command is aborted', async () => {
    const { clock, abort, context } = start();
    const sleeping = context.sleep('1h');
    abort.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
    expect(clock.pending).toBe(0);
  });

  it('refuses what is no duration', async () => {
    const { context } = start();
    for (const text of ['3', -1, 'soon']) {
      await expect(context.sleep(text as '3s')).rejects.toMatchObject({
        code: 'E_DURATION',
        message: `"${text}" is not a duration.`,
      });
    }
  });

  it('survives destructuring', async () => {
    const { clock, context } = start();
    const { now, sleep } = context;
    const sleeping = sleep('1s').then(() => now());
    await clock.advance(1_000);
    expect(await sleeping).toBe(clock.now());
  });
});
