import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { ExchangeWatch, type Watched } from './exchange.js';

function openWatch() {
  const clock = createFakeClock();
  const watch = new ExchangeWatch(clock);
  const startMs = clock.monotonic();
  const ended: string[] = [];
  /** Something whose time can be prolonged; it is looked at first after `lookInMs`. */
  function put(name: string, dueInMs: number, lookInMs = dueInMs) {
    const watched = {
      place: 0,
      dueAtMs: clock.monotonic() + dueInMs,
      look(nowMs: number): number | undefined {
        if (nowMs < watched.dueAtMs) return watched.dueAtMs;
        ended.push(`${name}@${nowMs - startMs}`);
        watch.delete(watched);
        return undefined;
      },
    } satisfies Watched & { dueAtMs: number };
    watch.add(watched, clock.monotonic() + lookInMs);
    return watched;
  }
  return { clock, watch, ended, put };
}

describe('ExchangeWatch', () => {
  it('ends each at its time, whatever the order in which they came', async () => {
    const { clock, ended, put } = openWatch();
    put('late', 300);
    put('early', 100);
    put('middle', 200);
    await clock.advance(1_000);
    expect(ended).toEqual(['early@100', 'middle@200', 'late@300']);
    expect(clock.pending).toBe(0);
  });

  it('has one timer for all, and none when there is nothing to watch', () => {
    const { clock, watch, put } = openWatch();
    const all = Array.from({ length: 50 }, (_value, index) => put(String(index), 1_000 + index));
    expect(clock.pending).toBe(1);
    for (const each of all) watch.delete(each);
    expect(clock.pending).toBe(0);
  });

  it('looks again later when the time was prolonged', async () => {
    const { clock, ended, put } = openWatch();
    const one = put('one', 100);
    one.dueAtMs += 400;
    await clock.advance(499);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['one@500']);
  });

  it('checks early when an entry asks for it', async () => {
    const { clock, ended, put } = openWatch();
    const one = put('one', 900, 100);
    one.dueAtMs -= 700;
    await clock.advance(200);
    expect(ended).toEqual(['one@200']);
  });

  it('lets what lies unread be read first when its own timer was late', async () => {
    const clock = createFakeClock();
    const looks: number[] = [];
    const startMs = clock.monotonic();
    let lateMs = 0;
    const slow = {
      monotonic: () => clock.monotonic() + lateMs,
      setTimeout: clock.setTimeout.bind(clock),
    };
    const late = new ExchangeWatch(slow);
    late.add({ place: 0, look: (nowMs) => void looks.push(nowMs - startMs) }, startMs + 100);
    lateMs = 600;
    await clock.advance(100);
    expect(looks).toEqual([]);
    await clock.advance(50);
    expect(looks).toEqual([750]);
  });

  it('watches what is begun while others are ended', async () => {
    const { clock, watch, ended, put } = openWatch();
    const startMs = clock.monotonic();
    const first: Watched = {
      place: 0,
      look() {
        watch.delete(first);
        put('second', 50);
        return undefined;
      },
    };
    watch.add(first, startMs + 100);
    await clock.advance(1_000);
    expect(ended).toEqual(['second@150']);
    expect(clock.pending).toBe(0);
  });
});
