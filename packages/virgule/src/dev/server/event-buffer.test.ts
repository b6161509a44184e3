import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createEventBuffer } from './event-buffer.js';

function setUp() {
  const clock = createFakeClock();
  const dropped: unknown[] = [];
  const buffer = createEventBuffer(clock, ({ d }) => dropped.push(d));
  return {
    clock,
    buffer,
    dropped,
    add: (d: number) => buffer.add({ t: 'X', d, receivedAtMs: clock.monotonic() }),
  };
}

describe('createEventBuffer', () => {
  it('returns events in order, with the time they came', () => {
    const { buffer, add, clock } = setUp();
    add(1);
    add(2);
    const atMs = clock.monotonic();
    expect(buffer.take()).toEqual({
      events: [
        { t: 'X', d: 1, receivedAtMs: atMs },
        { t: 'X', d: 2, receivedAtMs: atMs },
      ],
      dropped: 0,
    });
  });

  it('returns each event once', () => {
    const { buffer, add } = setUp();
    add(1);
    buffer.take();
    expect(buffer.take()).toEqual({ events: [], dropped: 0 });
  });

  it('drops what has waited longer than 30 s, and says how many', async () => {
    const { buffer, add, clock, dropped } = setUp();
    add(1);
    await clock.advance(30_001);
    add(2);
    expect(buffer.take()).toMatchObject({ events: [{ d: 2 }], dropped: 1 });
    expect(dropped).toEqual([1]);
  });

  it('keeps the newest 1,000', () => {
    const { buffer, add, dropped: given } = setUp();
    for (let d = 0; d < 1_005; d += 1) add(d);
    const { events, dropped } = buffer.take();
    expect(events).toHaveLength(1_000);
    expect(events[0]).toMatchObject({ d: 5 });
    expect([dropped, given]).toEqual([5, [0, 1, 2, 3, 4]]);
  });
});
