import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLocalHost } from '../src/host/local-host.js';
import { readOpus } from '../src/source/read-opus.js';
import {
  loadTransport,
  TRANSPORT_NAMES,
  type TransportName,
} from '../src/transport/load-transport.js';
import { startJanus } from './janus-peer.js';
import { CHANNEL, hashAudio, openFakePlatform } from './fake-platform.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const FILE = fixture('tones.ogg');
const REPEATS = 5;
const PACKETS = REPEATS * 51;

interface Peer {
  readonly url: string;
  readonly result: () => Promise<Record<string, unknown>>;
}

/** Returns the hash of what a peer should receive. */
async function expectedHash(): Promise<string> {
  const packets = await Readable.from(readOpus(Readable.from([readFileSync(FILE)]))).toArray();
  return hashAudio(Array.from({ length: REPEATS }, () => packets as Uint8Array[]).flat());
}

/** Starts a WHIP endpoint. Returns its address, and what it has received once the session has ended. */
async function startPeer(command: string, args: readonly string[], needs: string): Promise<Peer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (text) => (log += String(text)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const [port] = await Promise.race([
    lines.next().then(({ value }) => [value as string | undefined]),
    once(child, 'error').then(([error]) => {
      throw error;
    }),
  ]);
  if (port === undefined) throw new Error(`it cannot run: apt-get install ${needs}\n${log}`);
  // Its own program wrote it.
  const result = async () =>
    JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
  return { url: `http://127.0.0.1:${port}/whip`, result };
}

/** Streams the file a few times to a peer. Returns what the peer received. */
async function streamTo(peer: Peer, name: TransportName) {
  const { voice } = openFakePlatform({
    clock: systemClock,
    url: peer.url,
    openHost: () =>
      createLocalHost({
        clock: systemClock,
        random: systemRandom,
        loadTransport: () => loadTransport([name]),
      }),
  });
  const stream = await voice.stream(CHANNEL, FILE);
  for (let count = 1; count < REPEATS; count += 1) stream.queue.add(FILE);
  const received = peer.result();
  expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0, playedMs: 5_100 });
  const { packetsSent } = stream.stats;
  const figures = await received;
  process.stdout.write(`${name}: ${packetsSent} sent, ${JSON.stringify(figures)}\n`);
  await voice.close();
  return figures;
}

describe.each(TRANSPORT_NAMES)('aiortc and %s', (name) => {
  it('receives every packet, in stereo, with sender reports', async () => {
    // Of the system: the packages of Debian are not visible to others.
    const args = [fixture('whip_aiortc.py')];
    const peer = await startPeer('/usr/bin/python3', args, 'python3-aiortc python3-aiohttp');
    const figures = await streamTo(peer, name);
    expect(figures).toMatchObject({ lost: 0, leftHertz: 440, rightHertz: 1_000 });
    expect(figures['packets']).toBeGreaterThanOrEqual(PACKETS);
    expect(figures['senderReports']).toBeGreaterThanOrEqual(1);
    expect(figures['leftSeparationDb']).toBeGreaterThanOrEqual(60);
    expect(figures['rightSeparationDb']).toBeGreaterThanOrEqual(60);
  });
});

describe('pion, the library of LiveKit', () => {
  const NEEDS = 'golang-go golang-github-pion-webrtc.v3-dev';
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'voice-pion-'));
    const sources = join(folder, 'src/peer');
    mkdirSync(sources, { recursive: true });
    copyFileSync(fixture('whip_pion.go'), join(sources, 'main.go'));
    // With it, the compiler finds `webrtc/v3` in the folder `webrtc`.
    writeFileSync(join(sources, 'go.mod'), 'module peer\n\ngo 1.19\n');
    const { status, stderr, error } = spawnSync('go', ['build', '-o', join(folder, 'peer'), '.'], {
      cwd: sources,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GO111MODULE: 'off',
        // The packages of Debian, without a network.
        GOPATH: `${folder}:/usr/share/gocode`,
        GOCACHE: join(folder, 'cache'),
        HOME: folder,
      },
      encoding: 'utf8',
    });
    if (status !== 0)
      throw new Error(
        `pion cannot be built: apt-get install ${NEEDS}\n${error?.message ?? stderr}`,
      );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(TRANSPORT_NAMES)('receives every packet of %s, unchanged, as stereo', async (name) => {
    const figures = await streamTo(await startPeer(join(folder, 'peer'), [], NEEDS), name);
    expect(figures).toMatchObject({ lost: 0, isStereo: true, audioHash: await expectedHash() });
    expect(figures['senderReports']).toBeGreaterThanOrEqual(1);
    // A packet of silence may be sent before the peer is ready.
    expect(figures['packets']).toBeGreaterThanOrEqual(PACKETS);
  });
});

describe('Janus', () => {
  it.each(TRANSPORT_NAMES)('receives every packet of %s, unchanged', async (name) => {
    const figures = await streamTo(await startJanus(), name);
    expect(figures).toMatchObject({ lost: 0, audioHash: await expectedHash() });
    expect(figures['packets']).toBeGreaterThanOrEqual(PACKETS);
  });
});
