// Source: RFC 3550, section 5.1, and RFC 7587 (Opus: 48 kHz whatever the bandwidth).
const HEADER_BYTES = 12;
const VERSION = 0x80;
const TICKS_PER_MS = 48;

/** Numbers the packets of one stream. */
export interface RtpWriter {
  /** Returns the RTP packet for a payload of this duration. */
  write(payload: Uint8Array, durationMs: number): Buffer;
  /** Leaves a gap in time, without one in the numbers: nothing was lost. */
  skip(durationMs: number): void;
}

export function createRtpWriter(options: {
  readonly ssrc: number;
  readonly payloadType: number;
  readonly random: () => number;
}): RtpWriter {
  const { ssrc, payloadType, random } = options;
  let sequence = Math.floor(random() * 2 ** 16);
  let timestamp = Math.floor(random() * 2 ** 32);
  const pass = (durationMs: number): void => {
    timestamp = (timestamp + durationMs * TICKS_PER_MS) % 2 ** 32;
  };
  return {
    write(payload, durationMs) {
      const packet = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
      packet[0] = VERSION;
      packet[1] = payloadType;
      packet.writeUInt16BE(sequence, 2);
      packet.writeUInt32BE(timestamp, 4);
      packet.writeUInt32BE(ssrc, 8);
      packet.set(payload, HEADER_BYTES);
      sequence = (sequence + 1) % 2 ** 16;
      pass(durationMs);
      return packet;
    },
    skip: pass,
  };
}
