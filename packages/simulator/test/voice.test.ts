import { voiceIngressSchema, voiceJoinSchema, voiceStateSchema } from '@virgule/core/protocol';
import type { SimEvent } from '@virgule/core/simulator-api';
import type { MediaSession } from '../src/media/media-receiver.js';
import { describe, expect, it } from 'vitest';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';

const inLounge = (platform: Platform) => ({ channelId: platform.channelId('Lounge') });

/** Lets a user join a voice channel, or leave all of them, as on the page. */
function move(platform: Platform, as: string, channelId: string | null) {
  return platform.act('voice', {
    as,
    ...(channelId === null ? { leave: true } : { channel: channelId }),
  });
}

async function participants(platform: Platform): Promise<Record<string, string[]>> {
  const reply = await platform.call('voice.state', { serverId: platform.serverId('Sandbox') });
  const { channels } = voiceStateSchema.parse(reply.body);
  const names = new Map(platform.simulator.snapshot().channels.map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    channels.map((channel) => [
      names.get(channel.channelId) ?? '',
      channel.participants.map(({ username }) => username),
    ]),
  );
}

describe('voice', () => {
  it('joins and leaves, lists the participants, and sends events', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: ['SERVER_VOICE'] });
    const { channelId } = inLounge(platform);
    await move(platform, 'ada', channelId);
    const reply = await platform.call('voice.join', { channelId });
    const join = voiceJoinSchema.parse(reply.body);
    expect(join.participants.map(({ username }) => username)).toEqual(['ada', 'demo-bot']);
    expect(join).toMatchObject({
      channelId,
      token: expect.stringMatching(/^sim-voice-/),
      url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:/),
    });
    expect(await participants(platform)).toEqual({ Lounge: ['ada', 'demo-bot'], Stage: [] });
    await platform.call('voice.leave', { channelId });
    await platform.call('voice.leave', { channelId });
    expect(await participants(platform)).toEqual({ Lounge: ['ada'], Stage: [] });

    const serverId = platform.serverId('Sandbox');
    expect(await bot.event('VOICE_STATE_UPDATE')).toMatchObject({
      serverId,
      channelId,
      userId: platform.userId('ada'),
    });
    const userId = platform.userId('demo-bot');
    expect(await bot.event('VOICE_STATE_UPDATE')).toMatchObject({ serverId, channelId, userId });
    expect(await bot.event('VOICE_STATE_UPDATE')).toMatchObject({
      serverId,
      channelId: null,
      userId,
      participants: [{ username: 'ada' }],
    });
    expect(await bot.eventNames()).toHaveLength(3);
  });

  it('moves a participant from one channel of a server to another', async () => {
    const platform = await openPlatform();
    await platform.call('voice.join', inLounge(platform));
    await platform.call('voice.join', inLounge(platform));
    await platform.call('voice.join', { channelId: platform.channelId('Stage') });
    expect(await participants(platform)).toEqual({ Lounge: [], Stage: ['demo-bot'] });
    await platform.call('voice.join', { channelId: platform.channelId('Studio', 'Second') });
    expect(await participants(platform)).toEqual({ Lounge: [], Stage: ['demo-bot'] });
    await move(platform, 'demo-bot', null);
    expect(await participants(platform)).toEqual({ Lounge: [], Stage: [] });
  });

  it('keeps a silent participant while an ingress is open', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: ['SERVER_VOICE'] });
    const reply = await platform.call('voice.openIngress', inLounge(platform));
    const ingress = voiceIngressSchema.parse(reply.body);
    expect(ingress.participants.map(({ username }) => username)).toEqual(['demo-bot']);
    expect(platform.simulator.snapshot().voice[0]).toMatchObject({ ingressOpen: true });
    await platform.call('voice.join', inLounge(platform));
    await platform.call('voice.leave', inLounge(platform));
    expect(await participants(platform)).toMatchObject({ Lounge: ['demo-bot'] });
    await platform.call('voice.closeIngress', inLounge(platform));
    expect(await participants(platform)).toMatchObject({ Lounge: [] });
    expect(await bot.eventNames()).toEqual(['VOICE_STATE_UPDATE', 'VOICE_STATE_UPDATE']);
    expect(refusalOf(await platform.call('voice.closeIngress', inLounge(platform)))).toEqual({
      status: 404,
      code: 'bot_ingress_not_found',
    });
  });

  it('returns another stream key for a second ingress, and shows it nowhere else', async () => {
    const platform = await openPlatform();
    const events: SimEvent[] = [];
    platform.simulator.on((event) => events.push(event));
    const open = async () =>
      voiceIngressSchema.parse((await platform.call('voice.openIngress', inLounge(platform))).body);
    const first = await open();
    const second = await open();
    expect(second.streamKey).not.toBe(first.streamKey);
    const shown = JSON.stringify([events, platform.simulator.snapshot()]);
    expect(events).toHaveLength(2);
    expect(shown).not.toContain(first.streamKey);
    expect(shown).not.toContain(second.streamKey);
  });

  it.each([
    ['reset', () => ({})],
    ['channel', (id: string) => ({ id, remove: true })],
  ])('ends what is published with %s', async (name, inputOf) => {
    let closed = 0;
    const session: MediaSession = {
      answer: 'v=0',
      received: { packets: 1, lost: 0, audioHash: '', isStereo: false },
      listen() {},
      close: async () => void (closed += 1),
    };
    const platform = await openPlatform({
      openReceiver: async () => ({ accept: async () => session }),
    });
    const { channelId } = inLounge(platform);
    const reply = await platform.call('voice.openIngress', { channelId });
    const { url, streamKey } = voiceIngressSchema.parse(reply.body);
    const offer = await platform.send('POST', new URL(url).pathname, {
      headers: { 'content-type': 'application/sdp', authorization: `Bearer ${streamKey}` },
      body: 'v=0\nm=audio 9',
    });
    expect(offer.status).toBe(201);
    await platform.act(name, inputOf(channelId));
    expect(closed).toBe(1);
  });
});
