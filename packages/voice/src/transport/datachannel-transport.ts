import type * as NodeDatachannel from 'node-datachannel';
import {
  OPUS_PARAMETERS,
  PAYLOAD_TYPE,
  type OpenTransport,
  type TransportState,
} from './transport.js';

const NAME = 'virgule';
const STATES: readonly string[] = [
  'connecting',
  'connected',
  'disconnected',
  'failed',
  'closed',
] satisfies readonly TransportState[];

const CANDIDATE_LINE = /^a=(candidate:.*|end-of-candidates)\r?\n/gm;

/** Returns the transport of node-datachannel: native, its connections do not depend on the event loop. */
export function datachannelTransport(native: typeof NodeDatachannel): OpenTransport {
  const { Audio, PeerConnection, RtcpSrReporter, RtpPacketizationConfig } = native;
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
          if (!isWaiting && STATES.includes(state)) listener(state as TransportState);
        });
      },
      async close() {
        isClosed = true;
        connection.close();
      },
    };
  };
}
