// Source: RFC 3533, section 6 (pages), and RFC 7845 (Opus in Ogg).
import { sourceError } from '../errors/voice-errors.js';
import type { ByteReader } from './byte-reader.js';

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
export async function* readOgg(reader: ByteReader, first: Buffer): AsyncGenerator<Uint8Array> {
  let stream: LogicalStream | undefined;
  let isFirst = true;
  for (;;) {
    const capture: Buffer | undefined = isFirst ? first : await reader.read(4);
    isFirst = false;
    if (!capture) return;
    if (capture.toString('latin1') !== 'OggS') throw sourceError('its Ogg pages are damaged');
    const header: Buffer = await reader.need(23);
    const serial = header.readUInt32LE(10);
    const lacing: Buffer = await reader.need(header[22] ?? 0);
    const begins = ((header[1] ?? 0) & BEGINS_STREAM) !== 0;
    if (stream?.serial !== serial && !begins) {
      if (!stream) throw sourceError('it has no Opus stream');
      await reader.skip(lacing.reduce((sum, length) => sum + length, 0));
      continue;
    }
    let length = 0;
    for (const [index, value] of lacing.entries()) {
      length += value;
      const isLast = index === lacing.length - 1;
      // 255 continues in the next value, and after the last one on the next page.
      if (value === 255 && !isLast) continue;
      const bytes: Buffer = await reader.need(length);
      length = 0;
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
