import type { FakeClock } from '@virgule/core/clock';
import { hashAudio } from './fake-platform.js';
import { packetOf } from './ogg.js';

/** Returns an iterable of packets of 20 ms each, with numbers. */
export async function* packetsOf(count: number, from = 0): AsyncGenerator<Uint8Array> {
  for (let number = from; number < from + count; number += 1) yield packetOf(number);
}

export const expected = (count: number, from = 0): string =>
  hashAudio(Array.from({ length: count }, (_, index) => packetOf(from + index)));

/** Advances in steps, so that files can be read in between. */
export async function play(clock: FakeClock, ms: number): Promise<void> {
  for (let atMs = 0; atMs < ms; atMs += 20) await clock.advance(20);
}
