import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { compareText } from '@virgule/core/text';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../src/host/engine.js';
import { readOpus } from '../src/source/read-opus.js';
import { loadTransport, TRANSPORT_NAMES, type TransportName } from '../src/transport/transport.js';
import { startJanus } from './janus-peer.js';
import { CHANNEL, hashAudio, openFakePlatform } from './fake-platform.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const FILE = fixture('tones.ogg');
const REPEATS = 5;
const PACKETS = REPEATS * 51;
/** Compiling pion takes 10 seconds, and more than a minute on a busy machine. */
const BUILD_TIMEOUT_MS = 300_000;

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

interface Row extends Record<string, unknown> {
  readonly peer: string;
  readonly transport: TransportName;
  readonly sent: number;
  readonly isUnchanged: boolean;
}

const rows: Row[] = [];
afterAll(() => void process.stdout.write(tableOf(rows)));

/** Returns what was received as a table of Markdown, with `-` where a peer does not report a figure. */
function tableOf(all: readonly Row[]): string {
  const text = (...values: readonly unknown[]): string =>
    values.includes(undefined) ? '-' : values.map((value) => JSON.stringify(value)).join(', ');
  const lines = all.map((row) => [
    row.peer,
    row.transport,
    `${text(row['packets'])} of ${row.sent}`,
    text(row['lost']),
    row.isUnchanged ? 'equal' : 'different',
    text(row['leftHertz'], row['rightHertz']),
    text(row['leftSeparationDb'], row['rightSeparationDb']),
    text(row['senderReports']),
    text(row['isStereo']),
  ]);
  const head =
    'receiver,transport,packets,lost,payloads,left and right (Hz),separation (dB),sender reports,stereo';
  lines.sort((one, other) => compareText(one.join('|'), other.join('|')));
  const cells = [head.split(','), head.split(',').map(() => '---'), ...lines];
  return `\n${cells.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n\n`;
}

/** Streams the file a few times to a peer. Returns what the peer received. */
async function streamTo(
  peer: Peer,
  peerName: string,
  name: TransportName,
  changeOffer = (offer: string): string => offer,
) {
  const { voice } = openFakePlatform({
    clock: systemClock,
    url: peer.url,
    openHost: (listener) =>
      createEngine({
        ...listener,
        clock: systemClock,
        random: systemRandom,
        loadTransport: async () => {
          const open = await loadTransport([name]);
          return (options) => {
            const transport = open(options);
            return { ...transport, offer: async () => changeOffer(await transport.offer()) };
          };
        },
      }),
  });
  const stream = await voice.stream(CHANNEL, FILE);
  for (let count = 1; count < REPEATS; count += 1) stream.queue.add(FILE);
  const received = peer.result();
  expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0, playedMs: 5_100 });
  const { packetsSent } = stream.stats;
  const figures = await received;
  const isUnchanged = figures['audioHash'] === (await expectedHash());
  rows.push({ ...figures, peer: peerName, transport: name, sent: packetsSent, isUnchanged });
  await voice.close();
  return figures;
}

describe.each(TRANSPORT_NAMES)('aiortc and %s', (name) => {
  it('receives every packet, in stereo, with sender reports', async () => {
    // The python of the system: others do not see the packages of Debian.
    const args = [fixture('whip_aiortc.py')];
    const peer = await startPeer('/usr/bin/python3', args, 'python3-aiortc python3-aiohttp');
    const figures = await streamTo(peer, 'aiortc', name);
    const audioHash = await expectedHash();
    expect(figures).toMatchObject({ lost: 0, audioHash, leftHertz: 440, rightHertz: 1_000 });
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
  }, BUILD_TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(TRANSPORT_NAMES)('receives every packet of %s, unchanged, as stereo', async (name) => {
    const peer = await startPeer(join(folder, 'peer'), [], NEEDS);
    const figures = await streamTo(peer, 'pion', name);
    expect(figures).toMatchObject({ lost: 0, isStereo: true, audioHash: await expectedHash() });
    expect(figures['senderReports']).toBeGreaterThanOrEqual(1);
    // A packet of silence may be sent before the peer is ready.
    expect(figures['packets']).toBeGreaterThanOrEqual(PACKETS);
  });

  it.each(TRANSPORT_NAMES)('is mono to it if %s does not offer sprop-stereo', async (name) => {
    const peer = await startPeer(join(folder, 'peer'), [], NEEDS);
    const without = (offer: string): string => offer.replaceAll(';sprop-stereo=1', '');
    const figures = await streamTo(peer, 'pion, without sprop-stereo', name, without);
    // The test above fails then.
    expect(figures).toMatchObject({ lost: 0, isStereo: false, audioHash: await expectedHash() });
  });
});

describe('Janus', () => {
  it.each(TRANSPORT_NAMES)('receives every packet of %s, unchanged', async (name) => {
    const figures = await streamTo(await startJanus(), 'Janus', name);
    expect(figures).toMatchObject({ lost: 0, audioHash: await expectedHash() });
    expect(figures['packets']).toBeGreaterThanOrEqual(PACKETS);
  });
});
