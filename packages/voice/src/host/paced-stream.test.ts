import { systemClock } from '@virgule/core/clock';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createPacedStream } from './paced-stream.js';

/** 20 ms of stereo. */
const PACKET = Buffer.from([0xfc, 1, 2, 3]);

describe('the end of a stream of 3 packets', () => {
  // The last packets of those that are sent together may not have arrived when the session ends.
  it.each([
    ['one by one', [1, 1, 1, 1, 1, 1, 1, 1], 8],
    ['together, after the process was blocked', [10, 1, 1, 1, 1, 1], 6],
  ])('comes 100 ms after packets that are sent %s', (_title, counts, calls) => {
    const drainedAt: number[] = [];
    let call = 0;
    const stream = createPacedStream({
      ssrc: 1,
      random: () => 0,
      report: (type) => type === 'drained' && drainedAt.push(call),
    });
    stream.send = () => {};
    stream.push([PACKET, PACKET, PACKET]);
    stream.end();
    for (const count of counts) {
      call += 1;
      stream.frames(count);
    }
    expect(drainedAt).toEqual([calls]);
  });
});

describe('a stream that never runs dry', () => {
  it('keeps no packets that it has played', async () => {
    setFlagsFromString('--expose-gc');
    // The only way to get it in a process without the flag.
    const collect = runInNewContext('gc') as () => void;
    const stream = createPacedStream({
      ssrc: 1,
      random: () => 0,
      report: () => {},
    });
    stream.send = () => {};
    const pushed: WeakRef<Uint8Array>[] = [];
    const push = (): void => {
      const packet = Uint8Array.from(PACKET);
      pushed.push(new WeakRef(packet));
      stream.push([packet]);
    };
    for (let count = 0; count < 500; count += 1) push();
    for (let count = 0; count < 2_000; count += 1) {
      push();
      stream.frames(1);
    }
    // A WeakRef keeps what it was made for until the end of the turn.
    await systemClock.sleep(1);
    collect();
    const kept = pushed.filter((reference) => reference.deref() !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(500);
    expect(kept.length).toBeLessThan(1_200);
  });
});
