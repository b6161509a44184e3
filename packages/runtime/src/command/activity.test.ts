import { createFakeClock, settlesWithin } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { settle } from '../../test/test-bot.js';
import { Activity } from './activity.js';

describe('Activity', () => {
  it('counts what begins and ends', async () => {
    const activity = new Activity();
    const end = activity.begin();
    activity.track(Promise.resolve());
    expect(activity.count).toBe(2);
    await settle();
    expect(activity.count).toBe(1);
    end();
    expect(activity.count).toBe(0);
  });

  it('is idle at once when nothing runs', async () => {
    await expect(new Activity().idle()).resolves.toBeUndefined();
  });

  it('waits for the given time and no longer, and leaves no timer', async () => {
    const clock = createFakeClock();
    const activity = new Activity();
    await settlesWithin(activity.idle(), 1_000, clock);
    const end = activity.begin();
    const reported: string[] = [];
    void settlesWithin(activity.idle(), 1_000, clock).then(() => reported.push('time is over'));
    await clock.advance(999);
    expect(reported).toEqual([]);
    await clock.advance(1);
    expect(reported).toEqual(['time is over']);

    void settlesWithin(activity.idle(), 1_000, clock).then(() => reported.push('idle'));
    end();
    await clock.advance(0);
    expect([reported.at(-1), clock.pending]).toEqual(['idle', 0]);
  });

  it('notifies all waiting callers when the last one ends, and waits for what that started', async () => {
    const activity = new Activity();
    const reported: string[] = [];
    const end = activity.begin();
    void activity.idle().then(() => reported.push('first'));
    void activity.idle().then(() => reported.push('second'));
    end();
    const endSecond = activity.begin();
    await settle();
    expect(reported).toEqual([]);
    endSecond();
    await settle();
    expect(reported).toEqual(['first', 'second']);
  });
});
