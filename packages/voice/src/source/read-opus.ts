import { sourceError } from '../errors/voice-errors.js';
import { opusDurationMs } from '../opus/opus-packet.js';

/**
 * Returns the Opus packets of an Ogg stream, unchanged: nothing is decoded.
 *
 * @throws VirguleError `E_VOICE_SOURCE` for other formats and codecs, and for damaged or truncated ones.
 */
export async function* readOpus(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(source);
  try {
    const magic = await reader.read(4);
    if (!magic) throw sourceError('it is empty');
    if (magic.toString('latin1') !== 'OggS') throw sourceError('it is not Opus in Ogg');
    yield* checkPackets(readOgg(reader, magic));
  } finally {
    await reader.close();
  }
}

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
async function* readOgg(reader: ByteReader, first: Buffer): AsyncGenerator<Uint8Array> {
  let stream: LogicalStream | undefined;
  for (let capture: Buffer | undefined = first; capture; capture = await reader.read(4)) {
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

/** Reads an exact number of bytes at a time from chunks of any size. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; `undefined` at the end. @throws VirguleError `E_VOICE_SOURCE` if the source ends within them. */
  async read(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let missing = length; ;) {
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
      if (missing === 0) return parts.length === 1 ? part : Buffer.concat(parts);
      if (await this.#fill()) continue;
      if (missing === length) return undefined;
      throw truncated();
    }
  }

  /** As `read`, where the source cannot end. */
  async need(length: number): Promise<Buffer> {
    const bytes = await this.read(length);
    if (!bytes) throw truncated();
    return bytes;
  }

  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0;) {
      const taken = Math.min(missing, this.#rest.length);
      this.#rest = this.#rest.subarray(taken);
      missing -= taken;
      if (missing > 0 && !(await this.#fill())) throw truncated();
    }
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    while (!this.#hasEnded) {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.#hasEnded = true;
      else if (!(value instanceof Uint8Array)) throw sourceError('a chunk of it is not binary');
      else if (value.length > 0) {
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
        return true;
      }
    }
    return false;
  }
}

function truncated(): Error {
  return sourceError('it is truncated', 'Play a complete file.');
}
