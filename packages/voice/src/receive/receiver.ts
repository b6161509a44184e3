import { createHash } from 'node:crypto';
import type * as NodeDatachannel from 'node-datachannel';
import type * as Werift from 'werift';
import { CANDIDATE_LINE, PAYLOAD_TYPE, type TransportName } from '../transport/transport.js';

/** A WebRTC connection that receives audio. */
export interface ReceivingSession {
  readonly answer: string;
  readonly received: Pick<ReceivedPackets, 'packets' | 'lost' | 'audioHash' | 'isStereo'>;
  /** Calls the listener with each Opus packet. */
  listen(listener: (payload: Uint8Array) => void): void;
  close(): Promise<void>;
}

/** Receives audio, for the simulator and for tests. */
export interface Receiver {
  /** @param address - the IPv4 address to receive on. @defaultValue all addresses of this machine */
  accept(offer: string, address?: string): Promise<ReceivingSession>;
}

/**
 * Creates a receiver with the first of these packages that is installed. `undefined` if none is.
 *
 * @example
 * ```ts
 * const simulator = await startSimulator({ openReceiver: createReceiver });
 * ```
 */
export async function createReceiver(
  names: readonly TransportName[] = ['werift', 'node-datachannel'],
): Promise<Receiver | undefined> {
  for (const name of names) {
    try {
      return name === 'werift'
        ? receiveWithWerift(await import('werift'))
        : receiveWithDatachannel(await import('node-datachannel'));
    } catch {
      // The next one may be installed.
    }
  }
  return undefined;
}

function receiveWithWerift({ RTCPeerConnection, RTCRtpCodecParameters }: typeof Werift): Receiver {
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

function receiveWithDatachannel({
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
  // The packet has an extension of its header.
  if ((first & 0x10) !== 0) start += 4 + packet.readUInt16BE(start + 2) * 4;
  return packet.subarray(start);
}

class ReceivedPackets {
  readonly isStereo: boolean;
  readonly #hash = createHash('sha256');
  #packets = 0;
  #first = 0;
  #span = 0;
  #listener = (_payload: Uint8Array): void => {};

  constructor(offer: string) {
    this.isStereo = /^a=fmtp:.*\bsprop-stereo=1/m.test(offer);
  }

  listen(listener: (payload: Uint8Array) => void): void {
    this.#listener = listener;
  }

  add(sequenceNumber: number, payload: Uint8Array): void {
    if (this.#packets === 0) this.#first = sequenceNumber;
    this.#packets += 1;
    // Numbers begin again after 65,535.
    const step = (sequenceNumber - this.#first - this.#span + 131_072) % 65_536;
    if (step < 32_768) this.#span += step;
    this.#listener(payload);
    if (payload.length > SILENCE_BYTES) this.#hash.update(payload);
  }

  get packets(): number {
    return this.#packets;
  }

  /** Packets that are missing between the first and the last one. */
  get lost(): number {
    return this.#packets === 0 ? 0 : this.#span + 1 - this.#packets;
  }

  /** Hexadecimal SHA-256 of all payloads that are not silence. */
  get audioHash(): string {
    return this.#hash.copy().digest('hex');
  }
}

const SILENCE_BYTES = 3;
