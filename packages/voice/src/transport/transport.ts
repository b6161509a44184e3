import { errorCode, errorText } from '@virgule/core/errors';
import type * as NodeDatachannel from 'node-datachannel';
import type * as Werift from 'werift';
import { voiceErrors } from '../errors/voice-errors.js';

/** State of a connection. `disconnected` may recover, `failed` and `closed` are final. */
export type TransportState = 'connecting' | 'connected' | 'disconnected' | 'failed' | 'closed';

/** A WebRTC connection that sends one Opus track. */
export interface Transport {
  /** Resolves to the SDP offer, with the addresses of this machine. */
  offer(): Promise<string>;
  /** Applies the SDP answer, and connects. */
  accept(answer: string): Promise<void>;
  /** Sends an RTP packet. Before it is connected, the packet is dropped. */
  send(packet: Buffer): void;
  onState(listener: (state: TransportState) => void): void;
  close(): Promise<void>;
}

/** `ssrc` identifies the sender of the packets: 32 bits. */
export type OpenTransport = (options: { readonly ssrc: number }) => Transport;

/** Payload type of Opus in the offer. */
export const PAYLOAD_TYPE = 111;

/** `sprop-stereo=1` has to be in the offer: without it, a LiveKit ingress forwards mono. */
const OPUS_PARAMETERS = 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1';

/** The packages that can send audio, the preferred one first. */
const TRANSPORTS = {
  'node-datachannel': async () => datachannelTransport(await import('node-datachannel')),
  werift: async () => weriftTransport(await import('werift')),
};
export type TransportName = keyof typeof TRANSPORTS;

export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as readonly TransportName[];

/** Loads the first of the packages that is installed and works here. @throws VirguleError `E_VOICE_TRANSPORT`. */
export async function loadTransport(
  names: readonly TransportName[] = TRANSPORT_NAMES,
  load: Readonly<Record<TransportName, () => Promise<OpenTransport>>> = TRANSPORTS,
): Promise<OpenTransport> {
  const reasons: string[] = [];
  for (const name of names) {
    try {
      return await load[name]();
    } catch (error) {
      const isMissing = errorCode(error) === 'ERR_MODULE_NOT_FOUND';
      const reason = isMissing ? 'is not installed' : `fails with "${errorText(error)}"`;
      reasons.push(`${name} ${reason}`);
    }
  }
  throw voiceErrors.E_VOICE_TRANSPORT({ reason: reasons.join(', ') });
}

const NAME = 'virgule';

export const CANDIDATE_LINE = /^a=(candidate:.*|end-of-candidates)\r?\n/gm;

/** Returns the transport of node-datachannel: native, its connections do not depend on the event loop. */
export function datachannelTransport(native: object): OpenTransport {
  // The declarations of this package must not import the types of node-datachannel, which need not be installed.
  const { Audio, PeerConnection, RtcpSrReporter, RtpPacketizationConfig } =
    native as typeof NodeDatachannel;
  return ({ ssrc }) => {
    // Without STUN: the ingress has a public address, and learns ours from our packets.
    const connection = new PeerConnection(NAME, { iceServers: [] });
    const audio = new Audio('audio', 'SendOnly');
    audio.addOpusCodec(PAYLOAD_TYPE, OPUS_PARAMETERS);
    audio.addSSRC(ssrc, NAME, NAME, 'audio');
    const track = connection.addTrack(audio);
    // Sends the reports that receivers need to know the time of a packet.
    track.setMediaHandler(
      new RtcpSrReporter(new RtpPacketizationConfig(ssrc, NAME, PAYLOAD_TYPE, 48_000)),
    );
    let isClosed = false;
    return {
      offer() {
        return new Promise((resolve) => {
          connection.onGatheringStateChange((state) => {
            if (state === 'complete') resolve(connection.localDescription()?.sdp ?? '');
          });
          connection.setLocalDescription();
        });
      },
      async accept(answer) {
        // The candidates follow: with them, the handshake may begin before the native code has stored the fingerprint that
        // it needs, and then fails ("unknown CA").
        connection.setRemoteDescription(answer.replaceAll(CANDIDATE_LINE, ''), 'answer');
        for (const [, candidate = ''] of answer.matchAll(CANDIDATE_LINE))
          if (candidate.startsWith('candidate:')) connection.addRemoteCandidate(candidate, 'audio');
      },
      send(packet) {
        if (!isClosed && track.isOpen()) track.sendMessageBinary(packet);
      },
      onState(listener) {
        // The native code reports the connection before its track is open, and drops packets that are sent in between.
        let isWaiting = false;
        track.onOpen(() => {
          if (isWaiting) listener('connected');
          isWaiting = false;
        });
        connection.onStateChange((state) => {
          isWaiting = state === 'connected' && !track.isOpen();
          // All other states belong to `TransportState`.
          if (!isWaiting && state !== 'new') listener(state as TransportState);
        });
      },
      async close() {
        isClosed = true;
        connection.close();
      },
    };
  };
}

/** Returns the transport of werift: TypeScript only. */
function weriftTransport(werift: typeof Werift): OpenTransport {
  const { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } = werift;
  return () => {
    const opus = new RTCRtpCodecParameters({
      mimeType: 'audio/opus',
      clockRate: 48_000,
      channels: 2,
      payloadType: PAYLOAD_TYPE,
      parameters: OPUS_PARAMETERS,
    });
    // Without STUN: the ingress has a public address, and learns ours from our packets.
    const connection = new RTCPeerConnection({ codecs: { audio: [opus] }, iceServers: [] });
    const track = new MediaStreamTrack({ kind: 'audio' });
    connection.addTransceiver(track, { direction: 'sendonly' });
    return {
      async offer() {
        await connection.setLocalDescription(await connection.createOffer());
        return connection.localDescription?.sdp ?? '';
      },
      async accept(answer) {
        await connection.setRemoteDescription({ type: 'answer', sdp: answer });
      },
      send: (packet) => track.writeRtp(packet),
      onState(listener) {
        connection.connectionStateChange.subscribe((state) => {
          if (state !== 'new') listener(state);
        });
      },
      async close() {
        track.stop();
        await connection.close();
      },
    };
  };
}
