import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createRest } from '@virgule/client/rest';
import { silentLog } from '@virgule/core/log';
import type { SimAudio } from '@virgule/core/simulator-api';
import { startSimulator } from '@virgule/simulator';
import { createVoice } from '@virgule/voice';
import { createReceiver } from '@virgule/voice/receiver';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiveWithDatachannel, receiveWithWerift } from '../src/receive/accept-offer.js';
import { readOpus } from '../src/source/read-opus.js';
import { publish } from '../src/whip/whip-client.js';

const FILE = fileURLToPath(new URL('fixtures/tones.ogg', import.meta.url));

const SOON = { timeout: 10_000 };

const RECEIVERS = {
  werift: async () => receiveWithWerift(await import('werift')),
  'node-datachannel': async () => receiveWithDatachannel(await import('node-datachannel')),
  'what is installed': createReceiver,
};

async function open(openReceiver: (typeof RECEIVERS)[keyof typeof RECEIVERS] | undefined) {
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

describe.each(Object.entries(RECEIVERS))('the simulator with %s', (_name, openReceiver) => {
  it('receives every packet of a stream, unchanged, and the bot leaves', async () => {
    const { simulator, rest, channelId } = await open(openReceiver);
    await using voice = createVoice({ rest, log: silentLog });
    const stream = await voice.stream(channelId, FILE);
    expect(await voice.members(channelId)).toMatchObject([{ username: 'demo-bot' }]);
    const read = async (after: number) => {
      const response = await fetch(
        `${simulator.baseUrl}/_sim/voice/${channelId}/audio?after=${after}`,
      );
      return (await response.json()) as SimAudio | null;
    };
    // What the page plays: packets of the file, or silence before them.
    await expect.poll(async () => (await read(0))?.payloads.length, SOON).toBeGreaterThan(5);
    const { first = 0, payloads = [] } = (await read(3)) ?? {};
    expect(first).toBe(3);
    expect(payloads.length).toBeGreaterThan(2);
    // A number of an earlier session.
    expect(await read(9_999)).toMatchObject({ first: 0, lost: 0, isStereo: true });
    expect(await stream.finished).toMatchObject({ reason: 'ended' });
    expect(await read(0)).toBeNull();
    const packets = await Readable.from(readOpus(Readable.from([readFileSync(FILE)]))).toArray();
    expect(simulator.received(channelId)).toMatchObject({
      lost: 0,
      isStereo: true,
      audioHash: createHash('sha256').update(Buffer.concat(packets)).digest('hex'),
    });
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
    expect(patch.status).toBe(501);
    const remove = await fetch(`${origin}/_media/sessions/1`, { method: 'DELETE', headers });
    expect(remove.status).toBe(404);
  });
});
