/** What a session of the media server has received. */
export interface ReceivedAudio {
  /** RTP packets, with those of silence. */
  readonly packets: number;
  /** Packets that are missing between the first and the last one. */
  readonly lost: number;
  /** Hexadecimal SHA-256 of all payloads that are longer than a frame of silence, in their order. */
  readonly audioHash: string;
  /** Whether the offer says that the sender is stereo: without it, listeners get mono. */
  readonly isStereo: boolean;
}

/** A WebRTC connection that receives audio. */
export interface MediaSession {
  /** The SDP answer. */
  readonly answer: string;
  readonly received: ReceivedAudio;
  /** Calls the listener with each Opus packet. */
  listen(listener: (payload: Uint8Array) => void): void;
  close(): Promise<void>;
}

/** Receives audio, such as that of `@virgule/voice/receiver`. The simulator itself contains no WebRTC. */
export interface MediaReceiver {
  /**
   * Rejects when the offer is not valid.
   *
   * @param address - the address to receive on. @defaultValue all addresses of this machine
   */
  accept(offer: string, address?: string): Promise<MediaSession>;
}
