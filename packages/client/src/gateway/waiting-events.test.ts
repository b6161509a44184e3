import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingEvents } from './waiting-events.js';

describe('WaitingEvents', () => {
  it('returns events in their order, without the oldest messages that were dropped', () => {
    const step = fc.constantFrom('MESSAGE_CREATE', 'VOICE_STATE_UPDATE', 'take', 'drop');
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 5_000 }), (steps) => {
        const waiting = new WaitingEvents();
        const model: string[] = [];
        const taken: unknown[] = [];
        const expected: unknown[] = [];
        const take = (): void => {
          taken.push(waiting.take()?.d, waiting.size);
          expected.push(model.shift(), model.length);
        };
        for (const [index, each] of steps.entries()) {
          if (each === 'take') take();
          else if (each === 'drop') {
            waiting.drop();
            const oldest = model.findIndex((name) => name.startsWith('MESSAGE_'));
            model.splice(Math.max(oldest, 0), 1);
          } else {
            waiting.add({ t: each, d: `${each} ${index}`, receivedAtMs: 0 });
            model.push(`${each} ${index}`);
          }
        }
        while (model.length > 0) take();
        take();
        expect(taken).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it.each(['MESSAGE_CREATE', 'VOICE_STATE_UPDATE'])('drops %s as fast as they come', (t) => {
    const waiting = new WaitingEvents();
    // A search through those that wait would take minutes, and end by the limit of the test.
    for (let index = 0; index < 600_000; index += 1) {
      waiting.add({ t, d: index, receivedAtMs: 0 });
      if (waiting.size > 200_000) waiting.drop();
    }
    expect(waiting.take()?.d).toBe(400_000);
    waiting.clear();
    expect([waiting.size, waiting.take()]).toEqual([0, undefined]);
  });
});
