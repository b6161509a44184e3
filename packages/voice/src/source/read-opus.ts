import { sourceError } from '../errors/voice-errors.js';
import { opusDurationMs } from '../opus/opus-packet.js';
import { ByteReader } from './byte-reader.js';
import { readOgg } from './read-ogg.js';
import { readWebm } from './read-webm.js';

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

/** Returns the packets as they are, and fails at the first one that is not Opus. */
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

/** Returns the name of a common format, by its first bytes. */
function guess(magic: Buffer): string {
  const text = magic.toString('latin1');
  if (text.startsWith('ID3') || (magic.readUInt16BE() & 0xffe0) === 0xffe0) return 'MP3';
  if (text === 'RIFF') return 'WAV';
  if (text === 'fLaC') return 'FLAC';
  return /^\s*[<{]/.test(text) ? 'a text' : 'of an unknown format';
}
