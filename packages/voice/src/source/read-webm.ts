// Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
import { sourceError } from '../errors/voice-errors.js';
import type { ByteReader } from './byte-reader.js';

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
export async function* readWebm(reader: ByteReader): AsyncGenerator<Uint8Array> {
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
