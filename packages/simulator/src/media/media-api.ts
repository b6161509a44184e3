// `/_media/*`: the media server for the audio of bots. The Bot Interface states only that the bot is a WebRTC publisher
// (endpoint 21); the rest follows WHIP (RFC 9725) and the ingress of LiveKit.
import type { Timer } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { SimAudio } from '@virgule/core/simulator-api';
import { emptyAnswer, type Answer, type Incoming } from '../server/exchange.js';
import { isLoopbackHost } from '../server/guard.js';
import { createRouter, requireMatch } from '../server/router.js';
import { deriveSecret } from '../world/derive.js';
import { notFound, Refusal } from '../world/refusal.js';
import type { World } from '../world/world.js';
import type { MediaReceiver, MediaSession, ReceivedAudio } from './media-receiver.js';

const MAX_OFFER_BYTES = 64 * 1024;
/** Maximum number of packets that are kept for the page: 2 seconds of 20 ms packets. */
const MAX_KEPT_PACKETS = 100;
/** Time without a first packet, in milliseconds, after which a session is closed. */
const START_TIMEOUT_MS = 10_000;

interface Session {
  readonly id: string;
  readonly ingressId: string;
  readonly channelId: string;
  media?: MediaSession;
  timer?: Timer;
  isClosed: boolean;
  /** The latest packets, in base64. */
  readonly latest: string[];
  count: number;
}

export type MediaApi = ReturnType<typeof createMediaApi>;

/** Creates the media server, which refuses offers with 501 without a receiver. */
export function createMediaApi(
  world: World,
  log: Log,
  openReceiver: (() => Promise<MediaReceiver | undefined>) | undefined,
) {
  /** The newest session of each channel, also after its end. */
  const sessions = new Map<string, Session>();
  let count = 0;

  const router = createRouter<(incoming: Incoming, id: string) => Promise<Answer>>([
    { method: 'POST', path: '/_media/whip/{id}', value: offer },
    { method: 'DELETE', path: '/_media/sessions/{id}', value: remove },
  ]);

  function requireKey({ headers }: Incoming, ingressId: string): void {
    const key = `sim-stream-${deriveSecret(world.seed, `stream:${ingressId}`)}`;
    if (headers.authorization === `Bearer ${key}`) return;
    throw new Refusal(401, 'sim_stream_key', 'The stream key is not that of the ingress.');
  }

  async function offer(incoming: Incoming, ingressId: string): Promise<Answer> {
    const voice = [...world.state.voice.values()].find((each) => each.ingress?.id === ingressId);
    if (!voice) throw notFound('ingress', ingressId);
    requireKey(incoming, ingressId);
    if (incoming.headers['content-type'] !== 'application/sdp')
      throw new Refusal(415, 'sim_media_type', 'An offer has the type application/sdp.');
    const sdp = (await incoming.body(MAX_OFFER_BYTES)).toString();
    if (!sdp.startsWith('v=0') || sdp.match(/^m=/gm)?.length !== 1 || !/^m=audio /m.test(sdp))
      throw new Refusal(400, 'sim_offer', 'An offer has one media line, which is audio.');
    const before = sessions.get(voice.channelId);
    if (before?.ingressId === ingressId && !before.isClosed)
      throw new Refusal(409, 'sim_ingress_busy', 'Another session publishes to this ingress.');
    count += 1;
    const id = deriveSecret(world.seed, `session:${count}`);
    const { channelId } = voice;
    const session: Session = { id, ingressId, channelId, isClosed: false, latest: [], count: 0 };
    sessions.set(channelId, session);
    const receiver = await openReceiver?.();
    if (!receiver) {
      session.isClosed = true;
      const message = 'The simulator cannot receive audio: install @virgule/voice in the project.';
      throw new Refusal(501, 'sim_no_receiver', message);
    }
    // A client that uses a loopback name runs on this machine.
    const address = isLoopbackHost(incoming.headers.host) ? '127.0.0.1' : undefined;
    session.media = await receiver.accept(sdp, address).catch((error: unknown) => {
      session.isClosed = true;
      log.warn({ channelId, error }, 'an offer could not be accepted');
      throw new Refusal(400, 'sim_offer', 'The offer is not valid.');
    });
    session.media.listen((payload) => {
      session.count += 1;
      session.latest.push(Buffer.from(payload).toString('base64'));
      if (session.latest.length > MAX_KEPT_PACKETS) session.latest.shift();
    });
    // The ingress may have been closed before the offer was accepted.
    if (session.isClosed) await session.media.close();
    session.timer = world.clock.setTimeout(() => {
      if (session.media?.received.packets === 0) void end(session);
    }, START_TIMEOUT_MS);
    log.info({ channelId }, 'receiving audio');
    return {
      status: 201,
      headers: { 'content-type': 'application/sdp', location: `/_media/sessions/${id}` },
      body: session.media.answer,
    };
  }

  async function remove(incoming: Incoming, id: string): Promise<Answer> {
    const session = [...sessions.values()].find((each) => each.id === id && !each.isClosed);
    if (!session) throw notFound('session', id);
    requireKey(incoming, session.ingressId);
    await end(session);
    return emptyAnswer();
  }

  async function end(session: Session): Promise<void> {
    if (session.isClosed) return;
    session.isClosed = true;
    session.timer?.cancel();
    await session.media?.close();
  }

  const unsubscribe = world.subscribe(({ type }) => {
    if (type !== 'voice.changed' && type !== 'place.removed' && type !== 'world.replaced') return;
    const { voice, channels } = world.state;
    for (const session of sessions.values()) {
      const { channelId, ingressId } = session;
      if (voice.get(channelId)?.ingress?.id !== ingressId) void end(session);
      if (!channels.has(channelId)) sessions.delete(channelId);
    }
  });

  return {
    /** @throws Refusal when the request is rejected. */
    async handle(incoming: Incoming): Promise<Answer> {
      const { value: handler, parameters } = requireMatch(router, incoming, 'media endpoint');
      return handler(incoming, parameters['id'] ?? '');
    },
    received: (channelId: string): ReceivedAudio | undefined =>
      sessions.get(channelId)?.media?.received,
    audio(channelId: string, after: number): SimAudio | null {
      const session = sessions.get(channelId);
      if (!session?.media || session.isClosed) return null;
      const { latest, count, media } = session;
      const { packets, lost, isStereo } = media.received;
      // A number beyond the last packet belongs to an earlier session.
      const oldest = count - latest.length;
      const first = after > count ? oldest : Math.max(after, oldest);
      return { packets, lost, isStereo, first, payloads: latest.slice(first - oldest) };
    },
    async close(): Promise<void> {
      unsubscribe();
      await Promise.all([...sessions.values()].map(end));
    },
  };
}
