import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { OPUS_TAGS, oggFile, oggPage, opusHead, packetOf } from '../../test/ogg.js';
import { readOpus } from './read-opus.js';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../test/fixtures/${name}`, import.meta.url));

/** Returns the packets of a file that arrives in chunks of this size. */
async function packetsOf(file: Uint8Array, chunkBytes = file.length || 1): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < file.length; at += chunkBytes)
    chunks.push(file.subarray(at, at + chunkBytes));
  return Readable.from(readOpus(Readable.from(chunks))).toArray();
}

const failureOf = (file: Uint8Array) =>
  packetsOf(file).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

const hashOf = (packets: readonly Uint8Array[]): string =>
  createHash('sha256').update(Buffer.concat(packets)).digest('hex');

describe('readOpus', () => {
  it('returns as many packets as ffprobe counts, in chunks of any size', async () => {
    const file = fixture('tones.ogg');
    const whole = await packetsOf(file);
    expect(whole).toHaveLength(51);
    for (const chunkBytes of [1, 1_000])
      expect(hashOf(await packetsOf(file, chunkBytes))).toBe(hashOf(whole));
  });

  it('joins a packet that spans pages, and keeps one of a multiple of 255 bytes', async () => {
    const long = packetOf(1, 1_020);
    const exact = packetOf(2, 510);
    const file = Buffer.concat([
      oggPage({ begins: true, packets: [opusHead()] }),
      oggPage({ packets: [OPUS_TAGS] }),
      oggPage({ packets: [long.subarray(0, 510)], continues: true }),
      oggPage({ packets: [long.subarray(510), exact] }),
    ]);
    expect(await packetsOf(file)).toEqual([long, exact]);
  });

  it('skips other streams of a file, and continues with a chained one', async () => {
    const other = { serial: 7, packets: [Buffer.from('video')] };
    const file = Buffer.concat([
      oggPage({ ...other, begins: true }),
      oggPage({ begins: true, packets: [opusHead()] }),
      oggPage(other),
      oggPage({ packets: [OPUS_TAGS] }),
      oggPage({ packets: [packetOf(1)] }),
      oggPage(other),
      oggFile([packetOf(2)], 2),
    ]);
    expect(await packetsOf(file)).toEqual([packetOf(1), packetOf(2)]);
  });

  it('skips tags with a picture, which span pages', async () => {
    const tags = Buffer.concat([OPUS_TAGS, Buffer.alloc(255 * 600 - 8)]);
    const pages = [0, 1, 2].map((part) =>
      oggPage({
        packets: [tags.subarray(part * 51_000, (part + 1) * 51_000)],
        continues: part < 2,
      }),
    );
    const head = oggPage({ begins: true, packets: [opusHead()] });
    const file = Buffer.concat([head, ...pages, oggPage({ packets: [packetOf(1)] })]);
    expect(await packetsOf(file)).toEqual([packetOf(1)]);
  });

  it.each([
    ['an MP3 file', Buffer.from('ID3\u0004rest'), 'it is not Opus in Ogg'],
    ['a WAV file', Buffer.from('RIFFrest'), 'it is not Opus in Ogg'],
    ['a WebM file', Buffer.of(0x1a, 0x45, 0xdf, 0xa3), 'it is not Opus in Ogg'],
    ['a page of the web', Buffer.from('<html>'), 'it is not Opus in Ogg'],
    ['an empty file', Buffer.alloc(0), 'it is empty'],
    ['a file of 3 bytes', Buffer.from('Ogg'), 'it is truncated'],
    [
      'Vorbis',
      Buffer.concat([
        oggPage({ begins: true, packets: [Buffer.from('\u0001vorbis')] }),
        oggPage({ packets: [packetOf(1)] }),
      ]),
      'it has no Opus stream',
    ],
    ['5.1', oggPage({ begins: true, packets: [opusHead(6)] }), 'it has 6 channels'],
    ['a damaged page', Buffer.concat([oggFile([packetOf(1)]), Buffer.from('Ogg?')]), 'damaged'],
    ['a cut Ogg file', fixture('tones.ogg').subarray(0, -100), 'it is truncated'],
    ['a packet that is not Opus', oggFile([Buffer.of(0xff, 63)]), 'a packet is not Opus'],
  ])('refuses %s with E_VOICE_SOURCE', async (_name, file, reason) => {
    expect(await failureOf(file)).toMatchObject({
      code: 'E_VOICE_SOURCE',
      message: expect.stringContaining(reason),
    });
  });

  it('ends its source when the reader stops early', async () => {
    let hasEnded = false;
    async function* source() {
      try {
        for (;;) yield oggFile([packetOf(1)]);
      } finally {
        hasEnded = true;
      }
    }
    for await (const packet of readOpus(source())) {
      expect(packet).toEqual(packetOf(1));
      break;
    }
    expect(hasEnded).toBe(true);
  });
});
