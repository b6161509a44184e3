import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Twins } from './twins.js';

const event = (emoji: string) => ({ t: 'MESSAGE_REACTION_ADD', d: { emoji } });

describe('Twins', () => {
  it('names the same series of events alike in two gateways, and no two events of a series', async () => {
    const clock = createFakeClock();
    const [one, two] = [new Twins(clock), new Twins(clock)];
    const series = ['a', 'b', 'a', 'a'].map(event);
    const names = series.map((each) => one.nameOf(each));
    expect(new Set(names).size).toBe(4);
    await clock.advance(500);
    expect(series.map((each) => two.nameOf(each))).toEqual(names);
    await clock.advance(12_000);
    expect(names).not.toContain(one.nameOf(event('a')));
    await clock.advance(60_000);
    expect(one.nameOf(event('a'))).toBe(names[0]);
  });

  it('names none that has an id', () => {
    const twins = new Twins(createFakeClock());
    expect(twins.nameOf({ t: 'MESSAGE_CREATE', d: { id: 'm' } })).toBeUndefined();
    expect(twins.nameOf({ t: 'MESSAGE_DELETE', d: { id: 'm' } })).toBeDefined();
  });
});
