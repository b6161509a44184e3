import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createRest, type Rest } from '@virgule/client/rest';
import { silentLog } from '@virgule/core/log';
import type { SimAudio } from '@virgule/core/simulator-api';
import { startSimulator } from '@virgule/simulator';
import { createReceiver, type Receiver } from '@virgule/voice/receiver';
import { systemClock, systemRandom } from '@virgule/core/clock';
import 'node-datachannel';
import { describe, expect, it, onTestFinished } from 'vitest';
import 'werift';
import { createEngine } from '../src/host/engine.js';
import { createVoiceMembers } from '../src/members/voice-members.js';
import { readOpus } from '../src/source/read-opus.js';
import { createVoiceJournal } from '../src/stream/journal.js';
import { createStreams } from '../src/stream/streams.js';
import { loadTransport } from '../src/transport/transport.js';
import { publish } from '../src/whip/whip-client.js';

const FILE = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));

const SOON = { timeout: 60_000 };

// Loaded before the tests: on a busy machine, that takes a large part of the 10 seconds for a connection.
const RECEIVERS = {
  werift: () => createReceiver(['werift']),
  'node-datachannel': () => createReceiver(['node-datachannel']),
  'what is installed': createReceiver,
};

/** Returns the addresses and ports of the UDP sockets of this process, as Linux writes them. */
function boundAddresses(): string[] {
  if (process.platform !== 'linux') return [];
  const own = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
    } catch {
      return undefined;
    }
  });
  const sockets = ['udp', 'udp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1, -1),
  );
  return sockets
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => own.includes(columns[9]))
    .map(([, local = '']) => local);
}

async function open(openReceiver: (() => Promise<Receiver | undefined>) | undefined) {
  const simulator = await startSimulator({ pageDir: null, openReceiver });
  const { baseUrl, token } = simulator;
  const rest = createRest({ baseUrl, token, log: silentLog });
  onTestFinished(async () => {
    await rest.close();
    await simulator.close();
  });
  const { channels } = simulator.snapshot();
  const channelId = channels.find(({ name }) => name === 'Lounge')?.id ?? '';
  return { simulator, rest, channelId };
}

/** Opens streams that this process sends: the program that sends those of a bot exists in a build only. */
const openVoice = (rest: Rest) =>
  createStreams({
    rest,
    log: silentLog,
    clock: systemClock,
    members: createVoiceMembers(rest, silentLog),
    journal: createVoiceJournal(undefined, silentLog, undefined),
    openHost: (listener) =>
      createEngine({ clock: systemClock, random: systemRandom, loadTransport, ...listener }),
  });

describe.each(Object.entries(RECEIVERS))('the simulator with %s', (_name, openReceiver) => {
  it('receives every packet of a stream, unchanged, and the bot leaves', async () => {
    const answers: string[] = [];
    /** Sockets of the receiver; the sender of the bot is in this process too. */
    let opened: string[] = [];
    const { simulator, rest, channelId } = await open(async () => {
      const receiver = await openReceiver();
      if (!receiver) return undefined;
      return {
        async accept(...offer: Parameters<Receiver['accept']>) {
          const before = boundAddresses();
          const session = await receiver.accept(...offer);
          opened = boundAddresses().filter((each) => !before.includes(each));
          answers.push(session.answer);
          return session;
        },
      };
    });
    await using voice = openVoice(rest);
    const stream = await voice.stream(channelId, FILE);
    // It stays connected, and sends silence, until the page has been read.
    stream.pause();
    expect(await voice.members(channelId)).toMatchObject([{ username: 'demo-bot' }]);
    const read = async (after: number) => {
      const response = await fetch(
        `${simulator.baseUrl}/_sim/audio?channel=${channelId}&after=${after}`,
      );
      return ((await response.json()) as { audio: SimAudio | null }).audio;
    };
    // The page plays packets of the file, or silence before them.
    await expect.poll(async () => (await read(0))?.payloads.length, SOON).toBeGreaterThan(5);
    const { first = 0, payloads = [] } = (await read(3)) ?? {};
    expect(first).toBe(3);
    expect(payloads.length).toBeGreaterThan(2);
    expect(answers).toHaveLength(1);
    const addresses = answers[0]?.match(/^a=candidate:.*$/gm)?.map((line) => line.split(' ')[4]);
    expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
    // Only Linux shows them.
    expect(opened.map((each) => each.split(':')[0])).toEqual(
      process.platform === 'linux' ? ['0100007F'] : [],
    );
    // A number of an earlier session.
    expect(await read(9_999)).toMatchObject({ first: 0, lost: 0, isStereo: true });
    stream.resume();
    expect(await stream.finished).toMatchObject({ reason: 'ended' });
    expect(await read(0)).toBeNull();
    const packets = await Readable.from(readOpus(Readable.from([readFileSync(FILE)]))).toArray();
    const { lost, isStereo, audioHash } = simulator.received(channelId) ?? {};
    const sent = createHash('sha256').update(Buffer.concat(packets)).digest('hex');
    expect({ lost, isStereo, audioHash }).toEqual({ lost: 0, isStereo: true, audioHash: sent });
    expect(simulator.received(channelId)?.packets).toBeGreaterThanOrEqual(51);
    expect(await voice.members(channelId)).toEqual([]);
  });
});

describe('the ingress of the simulator', () => {
  const OFFER = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';

  it('refuses what LiveKit refuses', async () => {
    const { rest, channelId } = await open(undefined);
    const { url, streamKey } = await rest.voice.openIngress(channelId);
    const offer = async (sdp: string, key = streamKey, target = url): Promise<unknown> => {
      try {
        await publish({ url: target, streamKey: key }, sdp, { clock: systemClock });
        return 201;
      } catch (error) {
        return (error as { readonly details?: { readonly status?: number } }).details?.status;
      }
    };
    expect(await offer(OFFER, 'other')).toBe(401);
    expect(await offer(OFFER, streamKey, `${url}0`)).toBe(404);
    expect(await offer(`${OFFER}m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n`)).toBe(400);
    expect(await offer('v=0\r\n')).toBe(400);
    // Without a receiver.
    expect(await offer(OFFER)).toBe(501);
    const headers = { authorization: `Bearer ${streamKey}`, 'content-type': 'application/sdp' };
    const origin = new URL(url).origin;
    const patch = await fetch(`${origin}/_media/sessions/1`, { method: 'PATCH', headers });
    expect(patch.status).toBe(405);
    const remove = await fetch(`${origin}/_media/sessions/1`, { method: 'DELETE', headers });
    expect(remove.status).toBe(404);
  });
});
