// Source: RFC 6716, section 3.1 (the TOC byte) and 3.2 (frame packing).

/** An Opus packet of 20 ms of stereo silence. */
export const SILENCE: Uint8Array = Uint8Array.of(0xfc, 0xff, 0xfe);

const SILK_MS = [10, 20, 40, 60] as const;
const HYBRID_MS = [10, 20] as const;
const CELT_MS = [2.5, 5, 10, 20] as const;
const MAX_PACKET_MS = 120;

/** Returns the duration of an Opus packet in milliseconds: 2.5 to 120; 0 if it is no Opus packet. */
export function opusDurationMs(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frameMs =
    (config < 12
      ? SILK_MS[config & 3]
      : config < 16
        ? HYBRID_MS[config & 1]
        : CELT_MS[config & 3]) ?? 0;
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  const durationMs = frameMs * frames;
  return durationMs <= MAX_PACKET_MS ? durationMs : 0;
}

/** Returns the packets after the first `skipMs` milliseconds. @param first - what was read of them already */
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
