import type * as NodeDatachannel from 'node-datachannel';
import type * as Werift from 'werift';
import type { Receiver } from '../receiver.js';
import { PAYLOAD_TYPE } from '../transport/transport.js';
import { ReceivedPackets } from './received-audio.js';

/** Returns a receiver that uses werift. */
export function receiveWithWerift(werift: typeof Werift): Receiver {
  const { RTCPeerConnection, RTCRtpCodecParameters } = werift;
  return {
    async accept(offer, address) {
      const opus = new RTCRtpCodecParameters({
        mimeType: 'audio/opus',
        clockRate: 48_000,
        channels: 2,
        payloadType: PAYLOAD_TYPE,
      });
      const connection = new RTCPeerConnection({
        codecs: { audio: [opus] },
        iceServers: [],
        ...(address !== undefined && {
          // No addresses but the additional one.
          iceUseIpv4: false,
          iceUseIpv6: false,
          iceAdditionalHostAddresses: [address],
          iceInterfaceAddresses: { udp4: address },
        }),
      });
      const received = new ReceivedPackets(offer);
      connection.onTrack.subscribe((track) => {
        track.onReceiveRtp.subscribe(({ header, payload }) =>
          received.add(header.sequenceNumber, payload),
        );
      });
      await connection.setRemoteDescription({ type: 'offer', sdp: offer });
      await connection.setLocalDescription(await connection.createAnswer());
      return {
        answer: connection.localDescription?.sdp ?? '',
        received,
        listen: (listener) => received.listen(listener),
        close: () => connection.close(),
      };
    },
  };
}

const CANDIDATE_LINE = /^a=(?:candidate:.*|end-of-candidates)\r?\n/gm;

/** Returns a receiver that uses node-datachannel. */
export function receiveWithDatachannel({
  PeerConnection,
  RtcpReceivingSession,
}: typeof NodeDatachannel): Receiver {
  return {
    async accept(offer, address) {
      const connection = new PeerConnection('virgule', {
        iceServers: [],
        ...(address !== undefined && { bindAddress: address }),
      });
      const received = new ReceivedPackets(offer);
      const tracks: NodeDatachannel.Track[] = [];
      connection.onTrack((track) => {
        // Without a reference it would be collected.
        tracks.push(track);
        track.setMediaHandler(new RtcpReceivingSession());
        track.onMessage((packet) => {
          const payload = ((packet[1] ?? 0) & 0x7f) === PAYLOAD_TYPE && payloadOf(packet);
          if (payload) received.add(packet.readUInt16BE(2), payload);
        });
      });
      const answer = await new Promise<string>((resolve) => {
        connection.onGatheringStateChange((state) => {
          if (state === 'complete') resolve(connection.localDescription()?.sdp ?? '');
        });
        // Without candidates, the sender begins the checks: on one machine, it would otherwise be connected before it has
        // read the answer.
        connection.setRemoteDescription(offer.replaceAll(CANDIDATE_LINE, ''), 'offer');
      });
      return {
        answer,
        received,
        listen: (listener) => received.listen(listener),
        close: async () => connection.close(),
      };
    },
  };
}

/** Returns the payload of an RTP packet (RFC 3550, section 5.1). */
function payloadOf(packet: Buffer): Buffer {
  const first = packet[0] ?? 0;
  let start = 12 + (first & 0x0f) * 4;
  const hasExtension = (first & 0x10) !== 0;
  if (hasExtension) start += 4 + packet.readUInt16BE(start + 2) * 4;
  return packet.subarray(start);
}
