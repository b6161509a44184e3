import { createHash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { createEngine } from '../src/host/engine.js';
import type { Host, HostListener } from '../src/host/message.js';
import { createVoiceMembers } from '../src/members/voice-members.js';
import type { VoiceJournal } from '../src/stream/journal.js';
import { createStreams } from '../src/stream/streams.js';
import type { OpenTransport, TransportState } from '../src/transport/transport.js';
import type { OwnVoice } from '../src/stream/streams.js';

export const CHANNEL = '0b5f7c1e-0000-4000-8000-000000000001';
const ANSWER = 'v=0\r\n';

export interface FakePlatformOptions {
  readonly clock: Clock;
  /** Status of the answer to each offer, in their order; 0 is a connection that fails. @defaultValue 201 */
  readonly offers?: readonly number[];
  readonly log?: Log;
  readonly journal?: VoiceJournal;
  /** `false` if no connection is established. @defaultValue true */
  readonly connects?: boolean;
  /** @defaultValue one whose connections are in memory */
  readonly loadTransport?: () => Promise<OpenTransport>;
  /** Number of connections that fail in their handshake. @defaultValue 0 */
  readonly fails?: number;
  /** Called when an ingress is opened. */
  readonly openIngress?: () => Promise<void>;
  /** Called when a session is ended. */
  readonly onEnd?: () => Promise<void>;
  /** Called when an ingress is closed, also one of an earlier start. */
  readonly onClose?: () => Promise<void>;
  /** Address of a WHIP endpoint, for a host that is given. */
  readonly url?: string;
  /** @defaultValue one whose media server is in memory */
  readonly openHost?: (listener: HostListener) => Host;
}

/**
 * A platform with one media server, in memory. A test delays each call, and changes the state of the connection: the
 * simulator has no WebRTC of its own (see `simulator.integration.test.ts` for both together).
 */
export interface FakePlatform {
  readonly voice: OwnVoice;
  /** Requests that the platform and the media server received: `open`, `POST`, `DELETE`, `close`, in their order. */
  readonly calls: readonly string[];
  /** The payloads of the RTP packets, in their order. */
  readonly payloads: readonly Uint8Array[];
  /** Hashes of all payloads that are not silence. */
  readonly audioHash: string;
  readonly packets: readonly Buffer[];
  /** Changes the state of the latest connection. */
  setState(state: TransportState): void;
  /** The host ends by itself, like a process that crashes. */
  loseHost(): void;
}

export function openFakePlatform(options: FakePlatformOptions): FakePlatform {
  const { clock, offers = [], log = silentLog, connects = true, fails = 0 } = options;
  const calls: string[] = [];
  const packets: Buffer[] = [];
  let setState = (_state: TransportState): void => {};
  let loseHost = (): void => {};
  let connected = 0;
  let ingresses = 0;
  let offered = 0;

  const openTransport: OpenTransport = () => {
    let listener = (_state: TransportState): void => {};
    let isOpen = true;
    setState = (state) => listener(state);
    return {
      offer: async () => 'v=0 offer',
      async accept() {
        if (connected++ < fails) listener('failed');
        else if (connects) listener('connected');
      },
      send: (packet) => void (isOpen && packets.push(packet)),
      onState: (given) => (listener = given),
      async close() {
        isOpen = false;
      },
    };
  };
  const fetch = async (_url: URL | RequestInfo, init?: RequestInit): Promise<Response> => {
    const { method = '' } = init ?? {};
    if (method === 'DELETE') {
      calls.push('DELETE');
      await options.onEnd?.();
      return new Response(null, { status: 200 });
    }
    calls.push('POST');
    const status = offers[offered] ?? 201;
    offered += 1;
    if (status === 0) throw new Error('connection reset');
    const headers = { location: '/session' };
    return new Response(status === 201 ? ANSWER : '', { status, headers });
  };

  const openHost = (listener: HostListener): Host => {
    let isGone = false;
    const local = createEngine({
      clock,
      random: () => 0.5,
      fetch,
      loadTransport: options.loadTransport ?? (async () => openTransport),
      reply: (reply) => void (isGone || listener.reply(reply)),
    });
    loseHost = () => {
      isGone = true;
      listener.gone('it crashed');
    };
    return { ...local, send: (request) => void (isGone || local.send(request)) };
  };
  const unused = () => Promise.reject(new Error('not used'));
  const rest = {
    servers: {
      list: async () => [{ id: CHANNEL, name: 'Sandbox', memberCount: 1 }],
      channels: unused,
      emojis: unused,
    },
    voice: {
      async openIngress(channelId: string) {
        calls.push('open');
        await options.openIngress?.();
        ingresses += 1;
        const ingressId = `ingress-${ingresses}`;
        return {
          ingressId,
          channelId,
          url: options.url ?? 'https://media.test/whip',
          streamKey: `key-${ingresses}`,
          participants: [],
          async close() {
            calls.push('close');
            await options.onClose?.();
          },
          async [Symbol.asyncDispose]() {},
        };
      },
      async closeIngress(channelId: string) {
        calls.push(`close ${channelId}`);
        await options.onClose?.();
      },
      async state() {
        return {
          serverId: CHANNEL,
          channels: [
            {
              channelId: CHANNEL,
              participants: [{ userId: CHANNEL, username: 'ada', displayName: 'Ada' }],
            },
          ],
        };
      },
      join: unused,
      leave: unused,
    },
  };
  const journal: VoiceJournal = options.journal ?? { open: () => () => {}, left: () => [] };
  const members = createVoiceMembers(rest, log);
  const voice = createStreams({
    rest,
    members,
    clock,
    log,
    journal,
    openHost: options.openHost ?? openHost,
  });
  return {
    voice,
    calls,
    packets,
    get payloads() {
      return packets.map((packet) => packet.subarray(12));
    },
    get audioHash() {
      return hashAudio(packets.map((packet) => packet.subarray(12)));
    },
    setState: (state) => setState(state),
    loseHost: () => loseHost(),
  };
}

/** Returns a hash of the payloads that are not silence. */
export function hashAudio(payloads: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const payload of payloads) if (payload.length > 3) hash.update(payload);
  return hash.digest('hex');
}
