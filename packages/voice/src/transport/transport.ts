/** What a connection does: `disconnected` may recover, `failed` and `closed` do not. */
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

interface TransportOptions {
  /** Identifies the sender of the packets: 32 bits. */
  readonly ssrc: number;
}

export type OpenTransport = (options: TransportOptions) => Transport;

/** Payload type of Opus in the offer. */
export const PAYLOAD_TYPE = 111;

/** `sprop-stereo=1` has to be in the offer: without it, a LiveKit ingress forwards mono. */
export const OPUS_PARAMETERS = 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1';
