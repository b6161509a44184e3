import { sourceError } from '../errors/voice-errors.js';
import { opusDurationMs } from '../opus/opus-packet.js';

/**
 * Returns the Opus packets of an Ogg stream, unchanged: nothing is decoded.
 *
 * @throws VirguleError `E_VOICE_SOURCE` for other formats and codecs, and for damaged or truncated ones.
 */
export const readOpus = (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  checkPackets(readOgg(source));

/** Returns the packets unchanged, and throws at the first packet that is not Opus. */
export async function* checkPackets(
  packets: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const packet of packets) {
    if (!(packet instanceof Uint8Array) || opusDurationMs(packet) === 0)
      throw sourceError('a packet is not Opus');
    yield packet;
  }
}

// Source: RFC 3533, section 6 (pages), and RFC 7845 (Opus in Ogg).
const MAGIC = 'OggS';
const HEADER_BYTES = 27;
const BEGINS_STREAM = 2;
/** 120 ms at the highest bit rate; a longer packet is not Opus. */
const MAX_PACKET_BYTES = 61_440;

interface LogicalStream {
  readonly serial: number;
  /** Packets that follow before audio does: the header of comments. */
  headers: number;
  pending: Buffer[];
}

/** Returns the Opus packets of an Ogg file, unchanged. Of chained files, all; other streams are skipped. */
async function* readOgg(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let stream: LogicalStream | undefined;
  for await (const page of readPages(source)) {
    const serial = page.readUInt32LE(14);
    const begins = ((page[5] ?? 0) & BEGINS_STREAM) !== 0;
    if (stream?.serial !== serial && !begins) {
      if (!stream) throw sourceError('it has no Opus stream');
      continue;
    }
    const lacing = lacingOf(page);
    let from = HEADER_BYTES + lacing.length;
    let to = from;
    for (const [index, value] of lacing.entries()) {
      to += value;
      // 255 continues in the next value, and after the last one on the next page.
      if (value === 255 && index < lacing.length - 1) continue;
      const bytes = page.subarray(from, to);
      from = to;
      if (begins) {
        // A stream of another codec, such as a picture, is ignored.
        if (bytes.toString('latin1', 0, 8) !== 'OpusHead') continue;
        checkHead(bytes);
        stream = { serial, headers: 1, pending: [] };
        continue;
      }
      if (!stream) continue;
      stream.pending.push(bytes);
      if (value === 255) continue;
      const packet: Buffer = stream.pending.length === 1 ? bytes : Buffer.concat(stream.pending);
      stream.pending = [];
      if (stream.headers > 0) stream.headers -= 1;
      else if (packet.length > 0) yield packet;
    }
    // Tags with a picture are long; they are not audio.
    const pendingBytes = stream?.pending.reduce((sum, part) => sum + part.length, 0) ?? 0;
    if (stream && stream.headers === 0 && pendingBytes > MAX_PACKET_BYTES)
      throw sourceError('a packet is too long for Opus');
    if (stream && stream.headers > 0) stream.pending = stream.pending.slice(-1);
  }
}

function checkHead(head: Buffer): void {
  const channels = head[9] ?? 0;
  if (channels < 1 || channels > 2 || head[18] !== 0)
    throw sourceError(`it has ${channels} channels, not one or two`);
}

/** Returns the whole pages of an Ogg file, whose chunks may have any size. */
async function* readPages(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let hasPages = false;
  for await (const chunk of source) {
    if (!(chunk instanceof Uint8Array)) throw sourceError('a chunk of it is not binary');
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= MAGIC.length) {
      if (rest.toString('latin1', 0, MAGIC.length) !== MAGIC)
        throw sourceError(hasPages ? 'its Ogg pages are damaged' : 'it is not Opus in Ogg');
      const lacing = lacingOf(rest);
      const length = HEADER_BYTES + lacing.reduce((sum, value) => sum + value, lacing.length);
      // The header may be incomplete, too.
      if (lacing.length !== rest[HEADER_BYTES - 1] || rest.length < length) break;
      yield rest.subarray(0, length);
      hasPages = true;
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw sourceError('it is truncated', 'Play a complete file.');
  if (!hasPages) throw sourceError('it is empty');
}

/** Returns the lengths of the parts of a page. */
const lacingOf = (page: Buffer): Buffer =>
  page.subarray(HEADER_BYTES, HEADER_BYTES + (page[HEADER_BYTES - 1] ?? 0));
