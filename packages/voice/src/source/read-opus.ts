import { sourceError } from '../errors/voice-errors.js';
import { opusDurationMs } from '../opus/opus-packet.js';

const EBML = 0x1a45dfa3;

/**
 * Returns the Opus packets of an Ogg or WebM stream, unchanged: nothing is decoded.
 *
 * @throws VirguleError `E_VOICE_SOURCE` for other formats and codecs, and for damaged or truncated ones.
 */
export async function* readOpus(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(source);
  try {
    const magic = await reader.read(4);
    if (!magic) throw sourceError('it is empty');
    yield* checkPackets(choose(reader, magic));
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

function choose(reader: ByteReader, magic: Buffer): AsyncGenerator<Uint8Array> {
  if (magic.toString('latin1') === 'OggS') return readOgg(reader, magic);
  if (magic.readUInt32BE() === EBML) return readWebm(reader);
  throw sourceError(`it is ${guess(magic)}, not Opus in Ogg or WebM`);
}

function guess(magic: Buffer): string {
  const text = magic.toString('latin1');
  if (text.startsWith('ID3') || (magic.readUInt16BE() & 0xffe0) === 0xffe0) return 'MP3';
  if (text === 'RIFF') return 'WAV';
  if (text === 'fLaC') return 'FLAC';
  return /^\s*[<{]/.test(text) ? 'a text' : 'of an unknown format';
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

// Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const CODEC_ID = 0x86;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
/** Elements whose children are read. Their own end is not needed: ids are unique. */
const PARENTS: readonly number[] = [SEGMENT, TRACKS, TRACK_ENTRY, CLUSTER, BLOCK_GROUP];
const LACING = 0x06;
const MAX_LEAF_BYTES = 65_536;

/** Returns the packets of the first Opus track of a WebM or Matroska file, unchanged. */
async function* readWebm(reader: ByteReader): AsyncGenerator<Uint8Array> {
  let track: number | undefined;
  let entry: { number?: number; codec?: string } = {};
  await reader.skip((await readSize(reader)) ?? 0);
  for (;;) {
    const id = await readId(reader);
    if (id === undefined) return;
    const size = await readSize(reader);
    if (PARENTS.includes(id)) {
      if (id === TRACK_ENTRY) entry = {};
      continue;
    }
    if (size === undefined) throw sourceError('an element of unknown size cannot be skipped');
    if (id === TRACK_NUMBER || id === CODEC_ID) {
      const value = await readLeaf(reader, size);
      if (id === TRACK_NUMBER) entry.number = value.reduce((sum, byte) => sum * 256 + byte, 0);
      else entry.codec = value.toString('latin1').replace(/\0+$/, '');
      if (entry.codec === 'A_OPUS') track ??= entry.number;
    } else if (id === BLOCK || id === SIMPLE_BLOCK) {
      if (track === undefined) throw sourceError('it has no Opus track');
      const packet = readBlock(await readLeaf(reader, size), track);
      if (packet) yield packet;
    } else {
      await reader.skip(size);
    }
  }
}

async function readLeaf(reader: ByteReader, size: number): Promise<Buffer> {
  // Blocks of video are longer; only one of audio is needed.
  if (size > MAX_LEAF_BYTES) {
    await reader.skip(size);
    return Buffer.alloc(0);
  }
  return reader.need(size);
}

/** Returns the packet of a block, if it belongs to the track. */
function readBlock(block: Buffer, track: number): Uint8Array | undefined {
  const first = block[0];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  const number = block
    .subarray(1, length)
    .reduce((sum, byte) => sum * 256 + byte, first & (0xff >> length));
  if (number !== track) return undefined;
  const flags = block[length + 2] ?? 0;
  if ((flags & LACING) !== 0) throw sourceError('its blocks hold several packets each');
  const packet = block.subarray(length + 3);
  return packet.length > 0 ? packet : undefined;
}

/** Returns the id of the next element, with its marker; `undefined` at the end. */
async function readId(reader: ByteReader): Promise<number | undefined> {
  const first = (await reader.read(1))?.[0];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > 4) throw sourceError('its WebM elements are damaged');
  const rest = await reader.need(length - 1);
  return rest.reduce((sum, byte) => sum * 256 + byte, first);
}

/** Returns the size of an element; `undefined` if it is unknown. */
async function readSize(reader: ByteReader): Promise<number | undefined> {
  const first = (await reader.need(1))[0] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8) throw sourceError('its WebM elements are damaged');
  const rest = await reader.need(length - 1);
  const bits = first & (0xff >> length);
  if (bits === 0xff >> length && rest.every((byte) => byte === 0xff)) return undefined;
  const size = rest.reduce((sum, byte) => sum * 256 + byte, bits);
  if (!Number.isSafeInteger(size)) throw sourceError('its WebM elements are damaged');
  return size;
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
