import { opusDurationMs } from './opus-packet.js';

/**
 * Returns packets without those of the first `skipMs`.
 *
 * @param first - what was read of them already
 */
export async function* skipPackets(
  skipMs: number,
  packets: AsyncIterable<Uint8Array>,
  first?: IteratorResult<Uint8Array, unknown>,
): AsyncGenerator<Uint8Array> {
  const iterator = packets[Symbol.asyncIterator]();
  try {
    let atMs = 0;
    let next = first ?? (await iterator.next());
    for (; next.done !== true; next = await iterator.next()) {
      if (atMs >= skipMs) yield next.value;
      else atMs += opusDurationMs(next.value);
    }
  } finally {
    await iterator.return?.();
  }
}
