import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SourceInput } from '../src/source/audio-source.js';
import { ffmpegSource } from '../src/source/ffmpeg-source.js';
import { loadTransport } from '../src/transport/transport.js';
import { CHANNEL, openFakePlatform, type FakePlatformOptions } from './fake-platform.js';
import { OPUS_TAGS, oggFile, oggPage, opusHead, packetOf } from './ogg.js';

const SONG = readFileSync(new URL('fixtures/tones.ogg', import.meta.url));

const fileOf = (...parts: readonly Uint8Array[]): Readable => Readable.from([Buffer.concat(parts)]);
const song = (): Readable => fileOf(SONG);
const headers = (channels = 2): Buffer =>
  Buffer.concat([
    oggPage({ begins: true, packets: [opusHead(channels)] }),
    oggPage({ packets: [OPUS_TAGS] }),
  ]);
async function* endless(): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) yield packetOf(number);
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/song.ogg`;
}

interface Row {
  readonly source?: () => SourceInput | Promise<SourceInput>;
  readonly platform?: Omit<FakePlatformOptions, 'clock'>;
  /** The code of the error, or how it ends where nothing is wrong. */
  readonly ends: string;
  /** Text of the error. */
  readonly says?: string;
}

const missing = (): never => {
  throw Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' });
};

const ROWS: Readonly<Record<string, Row>> = {
  'not Opus': {
    source: () => fileOf(Buffer.from('ID3\u0004')),
    ends: 'E_VOICE_SOURCE',
    says: 'not Opus in Ogg',
  },
  'not a path': { source: () => 7 as never, ends: 'E_VOICE_SOURCE', says: 'of the type number' },
  'no such file': { source: () => '/no/such.ogg', ends: 'E_VOICE_SOURCE', says: 'ENOENT' },
  // A mono packet says so itself: receivers play it on both sides.
  mono: {
    source: () => fileOf(headers(1), oggPage({ packets: [Buffer.of(0xf8, 1)] })),
    ends: 'ended',
  },
  'six channels': { source: () => fileOf(headers(6)), ends: 'E_VOICE_SOURCE', says: '6 channels' },
  'frames of 2.5, 10 and 60 ms': {
    source: () =>
      fileOf(
        headers(),
        oggPage({ packets: [Buffer.of(0xe4, 1), Buffer.of(0xf4, 1), Buffer.of(0x1c, 1)] }),
      ),
    ends: 'ended',
  },
  'a packet of 140 ms': {
    source: () => fileOf(headers(), oggPage({ packets: [Buffer.of(0xff, 7)] })),
    ends: 'E_VOICE_SOURCE',
    says: 'a packet is not Opus',
  },
  'a truncated file': {
    source: () => fileOf(SONG.subarray(0, -100)),
    ends: 'E_VOICE_SOURCE',
    says: 'truncated',
  },
  'a packet without an end': {
    source: () =>
      fileOf(
        headers(),
        ...Array.from({ length: 10 }, () =>
          oggPage({ packets: [Buffer.alloc(255 * 200)], continues: true }),
        ),
      ),
    ends: 'E_VOICE_SOURCE',
    says: 'too long',
  },
  'an endless stream': { source: endless, ends: 'closed' },
  'a URL that stalls': {
    source: () => serve((_request, response) => void response.writeHead(200).write(oggFile([]))),
    ends: 'E_VOICE_SOURCE',
    says: 'sent nothing for 15 seconds',
  },
  'a URL that refuses': {
    source: () => serve((_request, response) => void response.writeHead(403).end()),
    ends: 'E_VOICE_SOURCE',
    says: 'status 403',
  },
  'no ffmpeg': {
    source: () => ffmpegSource('song.mp3', { program: '/no/such/ffmpeg' }),
    ends: 'E_VOICE_SOURCE',
    says: 'cannot be started',
  },
  'no transport': {
    platform: {
      loadTransport: () =>
        loadTransport(['werift', 'node-datachannel'], {
          werift: missing,
          'node-datachannel': missing,
        }),
    },
    ends: 'E_VOICE_TRANSPORT',
    says: 'werift is not installed, node-datachannel is not installed',
  },
  'a refused key': { platform: { offers: [401] }, ends: 'E_VOICE_INGRESS', says: 'status 401' },
  'a conflict': { platform: { offers: [409] }, ends: 'E_VOICE_INGRESS', says: 'status 409' },
  'a server that is overloaded': {
    platform: { offers: [503] },
    ends: 'E_VOICE_INGRESS',
    says: 'status 503',
  },
  'an address that cannot be reached': {
    platform: { offers: [0] },
    ends: 'E_VOICE_INGRESS',
    says: 'cannot be reached',
  },
  'a connection that is never made': {
    platform: { connects: false },
    ends: 'E_VOICE_LOST',
    says: 'no connection within 10 seconds',
  },
};

describe('bad input', () => {
  it.each(Object.entries(ROWS))(
    '%s ends as stated, and the ingress is closed',
    async (_name, row) => {
      const clock = createFakeClock();
      const { voice, calls } = openFakePlatform({ clock, ...row.platform });
      const source = await (row.source ?? song)();
      const outcome = (async () => {
        const stream = await voice.stream(CHANNEL, source);
        if (row.ends === 'closed') await stream.close();
        const { reason, error } = await stream.finished;
        return error ?? reason;
      })().catch((error: unknown) => error);
      let ended: unknown;
      void outcome.then((value) => (ended = value));
      // Sources are read in real time, and played on the clock.
      for (let round = 0; round < 5_000 && ended === undefined; round += 1) {
        await clock.advance(20);
        if (round % 10 === 0) await systemClock.sleep(0);
      }
      expect(isVirguleError(ended) ? ended.code : ended).toBe(row.ends);
      expect(String(ended)).toContain(row.says ?? '');
      const count = (call: string): number => calls.filter((each) => each === call).length;
      expect(count('close')).toBe(count('open'));
      expect(voice.get(CHANNEL)).toBeUndefined();
      await voice.close();
    },
  );

  it('of two streams to one channel, the second is rejected and the first plays', async () => {
    const clock = createFakeClock();
    const { voice, calls } = openFakePlatform({ clock });
    const stream = await voice.stream(CHANNEL, endless());
    await expect(voice.stream(CHANNEL, song(), { ifBusy: 'reject' })).rejects.toMatchObject({
      code: 'E_VOICE_BUSY',
    });
    expect([voice.get(CHANNEL), calls]).toEqual([stream, ['open', 'POST']]);
    await voice.close();
    expect(calls.at(-1)).toBe('close');
  });
});
