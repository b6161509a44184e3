import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalHost } from '../src/host/local-host.js';
import { loadTransport, TRANSPORT_NAMES } from '../src/transport/load-transport.js';
import { CHANNEL, openFakePlatform } from './fake-platform.js';

const FILE = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));
const PROGRAM = fileURLToPath(new URL('fixtures/whip_aiortc.py', import.meta.url));
/** Of the system: the packages of Debian are not visible to others. */
const PYTHON = '/usr/bin/python3';

/** Starts a WHIP endpoint of aiortc. Returns its address, and what it has received once the session has ended. */
async function startAiortc() {
  const child = spawn(PYTHON, [PROGRAM], { stdio: ['ignore', 'pipe', 'pipe'] });
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
  if (port === undefined)
    throw new Error(`aiortc cannot run: apt-get install python3-aiortc python3-aiohttp\n${log}`);
  const result = async () => JSON.parse(String((await lines.next()).value)) as unknown;
  return { url: `http://127.0.0.1:${port}/whip`, result };
}

describe.each(TRANSPORT_NAMES)('aiortc and %s', (name) => {
  it('receives every packet, in stereo, with sender reports', async () => {
    const { url, result } = await startAiortc();
    const { voice } = openFakePlatform({
      clock: systemClock,
      url,
      openHost: () =>
        createLocalHost({
          clock: systemClock,
          random: systemRandom,
          loadTransport: () => loadTransport([name]),
        }),
    });
    const stream = await voice.stream(CHANNEL, FILE);
    for (let count = 1; count < 5; count += 1) stream.queue.add(FILE);
    const received = result();
    expect(await stream.finished).toMatchObject({ reason: 'ended', underruns: 0, playedMs: 5_100 });
    const { packetsSent } = stream.stats;
    const figures = await received;
    process.stdout.write(`${name}: ${packetsSent} sent, ${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({ lost: 0, leftHertz: 440, rightHertz: 1_000 });
    const { packets, senderReports, leftSeparationDb, rightSeparationDb } = figures as Record<
      string,
      number
    >;
    expect(packets).toBeGreaterThanOrEqual(255);
    expect(senderReports).toBeGreaterThanOrEqual(1);
    expect(leftSeparationDb).toBeGreaterThanOrEqual(60);
    expect(rightSeparationDb).toBeGreaterThanOrEqual(60);
    await voice.close();
  });
});
