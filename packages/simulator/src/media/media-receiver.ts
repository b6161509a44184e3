/** Statistics of a session of the media server. */
export interface ReceivedAudio {
  /** Number of RTP packets, including packets of silence. */
  readonly packets: number;
  /** Number of missing packets between the first and the last one. */
  readonly lost: number;
  /** Hexadecimal SHA-256 of all payloads that are longer than a frame of silence, in their order. */
  readonly audioHash: string;
  /** `true` if the offer states a stereo sender; otherwise listeners get mono. */
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

/** Receives audio, such as `@virgule/voice/receiver` does. The simulator itself contains no WebRTC. */
export interface MediaReceiver {
  /**
   * Accepts an offer. Rejects if the offer is not valid.
   *
   * @param address - the address to receive on. @defaultValue all addresses of this machine
   */
  accept(offer: string, address?: string): Promise<MediaSession>;
}
