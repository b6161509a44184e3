import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import type { HttpDispatcher } from '@virgule/client/rest';
import { INTERACTION, errorOf, openRest } from './test-rest.js';

/** A client on a machine that can open a number of connections; a request takes 100 ms. */
function openFull(places: number) {
  const clock = createFakeClock();
  let inFlight = 0;
  let refused = 0;
  const dispatcher: HttpDispatcher = {
    dispatch(_request, handler) {
      clock.setTimeout(() => {
        if (inFlight >= places) {
          refused += 1;
          handler.onResponseError(undefined, Object.assign(new Error(), { code: 'EMFILE' }));
          return;
        }
        inFlight += 1;
        const controller = { abort: () => {} };
        handler.onRequestStart(controller);
        clock.setTimeout(() => {
          inFlight -= 1;
          handler.onResponseStart(controller, 204, {});
          handler.onResponseEnd(controller);
        }, 100);
      }, 1);
    },
  };
  const rest = openRest('https://chat.test', { clock, dispatcher, deadlineMs: 3_000 });
  return { clock, rest, refused: () => refused };
}

describe('a machine without descriptors for more connections', () => {
  it('lets calls wait for the connections there are', async () => {
    const { clock, rest, refused } = openFull(20);
    const id = (index: number) => INTERACTION.slice(0, -3) + String(index).padStart(3, '0');
    const calls = Array.from({ length: 200 }, (_, index) => rest.interactions.ack(id(index)));
    const all = Promise.all(calls);
    await clock.advance(2_000);
    await all;
    // Each learns of it once, and each that ends lets one more try. It is no fault of the platform.
    expect(refused()).toBeLessThanOrEqual(360);
    expect(rest.limits().origins).toMatchObject([{ faults: 0 }]);
  });

  it('tries again with pauses where there is none at all', async () => {
    const { clock, rest, refused } = openFull(0);
    const failing = errorOf(rest.interactions.ack(INTERACTION));
    await clock.advance(3_000);
    expect((await failing).message).toContain('EMFILE');
    expect(refused()).toBeLessThan(20);
  });
});
