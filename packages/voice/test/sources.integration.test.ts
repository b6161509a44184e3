import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toSource, type AudioSource } from '../src/source/audio-source.js';
import { ffmpegSource, toneSource } from '../src/source/ffmpeg-source.js';
import { CHANNEL, openFakePlatform } from './fake-platform.js';
import { oggFile, packetOf } from './ogg.js';
import { play } from './playing.js';

const FILE = oggFile([packetOf(1), packetOf(2), packetOf(3)]);
const TONES = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));

async function read(source: AudioSource, options: { volume?: number; fromMs?: number } = {}) {
  const { volume = 1, fromMs = 0 } = options;
  const { signal } = new AbortController();
  const packets = source.open({ volume, fromMs, signal, clock: systemClock });
  return Readable.from(packets).toArray();
}

/** Writes a program that can be used as ffmpeg. It ends with this code; its arguments are the packets. */
function programOf(body: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'voice-')), 'ffmpeg');
  writeFileSync(path, `#!${process.execPath}\n${body}`);
  chmodSync(path, 0o755);
  return path;
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ogg?key=secret`;
}

describe('a URL as a source', () => {
  it('is read from any position', async () => {
    const url = await listen((_request, response) => response.end(FILE));
    expect(await read(toSource(url))).toHaveLength(3);
    expect(await read(toSource(new URL(url)), { fromMs: 40 })).toEqual([packetOf(3)]);
  });

  it.each<[string, RequestListener, string]>([
    ['a refusal', (_q, response) => response.writeHead(403).end(), 'status 403'],
    ['a cut connection', (_q, response) => response.destroy(), 'cannot be read'],
    ['a page', (_q, response) => response.end('<html>'), 'it is not Opus in Ogg'],
  ])('fails with E_VOICE_SOURCE at %s, without its query', async (_name, listener, reason) => {
    const failure = await read(toSource(await listen(listener))).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'E_VOICE_SOURCE' });
    expect(String(failure)).toContain(reason);
    expect(String(failure)).not.toContain('secret');
  });

  it('fails when the server sends nothing for 15 seconds', async () => {
    const clock = createFakeClock();
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const url = await listen(() => isAsked());
    const { signal } = new AbortController();
    const packets = toSource(url).open({ volume: 1, fromMs: 0, signal, clock });
    const failure = Readable.from(packets)
      .toArray()
      .catch((error: unknown) => error);
    await asked;
    await clock.advance(15_000);
    expect(String(await failure)).toContain('sent nothing for 15 seconds');
  });
});

describe('audio.ffmpeg', () => {
  const echo = `process.stdout.write(Buffer.from('${FILE.toString('base64')}', 'base64'));
    require('node:fs').writeFileSync(__filename + '.args', process.argv.slice(2).join(' '));`;
  const argsOf = async (path: string): Promise<string> => {
    const { readFile } = await import('node:fs/promises');
    return readFile(`${path}.args`, 'utf8');
  };

  it('sends what the program returns, with the position, the volume and the filters', async () => {
    const program = programOf(echo);
    const source = ffmpegSource('song.mp3', { program, filters: ['loudnorm'] });
    expect(await read(source, { volume: 0.5, fromMs: 1_500 })).toHaveLength(3);
    const args = await argsOf(program);
    expect(args).toContain('-ss 1.5 -protocol_whitelist file,pipe,crypto -i file:song.mp3');
    expect(args).toContain('-af loudnorm,volume=0.5');
  });

  it('does not let a playlist of the web read files', async () => {
    const program = programOf(echo);
    await read(ffmpegSource('https://media.test/a.m3u8?key=1', { program }));
    expect(await argsOf(program)).toContain('-protocol_whitelist http,https,tcp,tls,crypto');
  });

  it('does not wait for a server that sends nothing', async () => {
    const program = programOf(echo);
    await read(ffmpegSource('https://media.test/a.mp3', { program }));
    expect(await argsOf(program)).toContain('-rw_timeout 15000000 ');
    // Files have no such option.
    await read(ffmpegSource('a.mp3', { program }));
    expect(await argsOf(program)).not.toContain('-rw_timeout');
  });

  it('says that a volume needs the program, when the file itself would not', async () => {
    const { signal } = new AbortController();
    const options = { volume: 0.5, fromMs: 0, signal, clock: systemClock };
    const source = ffmpegSource('a.ogg', { program: '/no/such/ffmpeg' });
    await expect(Readable.from(source.open(options)).toArray()).rejects.toMatchObject({
      hint: 'Install ffmpeg, or play the file at its own volume.',
    });
  });

  it.each([
    ['is missing', '/no/such/ffmpeg', 'Install ffmpeg'],
    ['fails', programOf(`console.error('no such file.'); process.exit(1)`), 'code 1: no such file'],
  ])('fails with E_VOICE_SOURCE when the program %s', async (_name, program, hint) => {
    const failure = await read(ffmpegSource('a.mp3', { program })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'E_VOICE_SOURCE' });
    expect(JSON.stringify(failure)).toContain(hint);
  });

  it('ends the program when the reader stops', async () => {
    const program = programOf(`${echo}setInterval(() => {}, 1000);`);
    const { signal } = new AbortController();
    const source = toneSource(440, { program });
    for await (const packet of source.open({ volume: 1, fromMs: 0, signal, clock: systemClock })) {
      expect(packet).toEqual(packetOf(1));
      break;
    }
    expect(() => toneSource(0)).toThrow(expect.objectContaining({ code: 'E_VOICE_SOURCE' }));
  });
});

describe('setVolume of a bot without ffmpeg', () => {
  it('is rejected, and the file plays on at its volume', async () => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock });
    const stream = await voice.stream(CHANNEL, TONES);
    await expect(stream.setVolume(0.5)).rejects.toMatchObject({
      code: 'E_VOICE_SOURCE',
      message: expect.stringContaining('the program "ffmpeg" cannot be started') as string,
      hint: 'Install ffmpeg, or play the file at its own volume.',
    });
    await play(clock, 500);
    expect([stream.volume, stream.state]).toEqual([1, 'playing']);
    let hasFinished = false;
    const finished = stream.finished.finally(() => (hasFinished = true));
    // The file is read in real time: a busy machine needs more turns of the event loop.
    while (!hasFinished) await play(clock, 100);
    expect(await finished).toMatchObject({ reason: 'ended' });
  });
});
