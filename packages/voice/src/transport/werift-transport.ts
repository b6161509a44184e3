import type * as Werift from 'werift';
import { OPUS_PARAMETERS, PAYLOAD_TYPE, type OpenTransport } from './transport.js';

const MIME_TYPE = 'audio/opus';

/** Returns the transport of werift: TypeScript only. */
export function weriftTransport(werift: typeof Werift): OpenTransport {
  const { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } = werift;
  return () => {
    const opus = new RTCRtpCodecParameters({
      mimeType: MIME_TYPE,
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
