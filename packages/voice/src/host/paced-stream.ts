import type { Clock, Timer } from '@virgule/core/clock';
import { opusDurationMs, SILENCE } from '../opus/opus-packet.js';
import { PAYLOAD_TYPE } from '../transport/transport.js';

/**
 * Frames that are sent at once after the event loop was blocked: 800 ms. Of 50 at once none were lost in measurements, of
 * 350 a third; the buffers of receivers hold at least 50.
 */
const MAX_CATCH_UP_FRAMES = 40;
/**
 * Times at which silence is sent after the audio, so that decoders end without a click, and so that packets which were
 * sent together have arrived.
 */
const PADDING_TIMES = 5;
/** Number of played packets between two reports. */
const REPORT_PACKETS = 10;
/** Played packets that are dropped together: 10 seconds of audio. */
const MAX_KEPT = 500;

const FRAME_MS = 20;

export type PacedStream = ReturnType<typeof createPacedStream>;

/** Sends the packets of one stream when they are due, and silence when there are none. */
export function createPacedStream(options: {
  readonly ssrc: number;
  readonly random: () => number;
  /** Receives the number of packets that were played since the last report. `drained`: all packets were played, after `end`. */
  readonly report: (type: 'played' | 'drained', count: number) => void;
}) {
  const writer = createRtpWriter(options.ssrc, options.random);
  let packets: Uint8Array[] = [];
  let next = 0;
  let hasEnded = false;
  let hasDrained = false;
  let padding = 0;
  let dueMs = 0;
  let isPlaying = false;
  let unreported = 0;
  const stats = { packetsSent: 0, underruns: 0, skippedMs: 0 };

  /** Returns the next packet; silence if there is none. */
  function take(): Uint8Array {
    if (stream.isPaused) return SILENCE;
    const packet = packets[next];
    if (packet) {
      next += 1;
      // A stream that never runs dry would otherwise keep everything that it has played.
      if (next === packets.length || next === MAX_KEPT) [packets, next] = [packets.slice(next), 0];
      isPlaying = true;
      return packet;
    }
    if (isPlaying && !hasEnded) stats.underruns += 1;
    isPlaying = false;
    return SILENCE;
  }

  function report(type: 'played' | 'drained'): void {
    const count = unreported;
    unreported = 0;
    options.report(type, count);
  }

  const stream = {
    isPaused: false,
    /** Function that sends a packet. Without it, the stream waits: nothing is played before the connection. */
    send: undefined as ((packet: Buffer) => void) | undefined,
    get stats() {
      return { ...stats };
    },
    push(more: readonly Uint8Array[]): void {
      packets.push(...more);
      [hasEnded, hasDrained, padding] = [false, false, 0];
    },
    /** No packets follow: when the last one was played, the stream is reported as drained. */
    end(): void {
      hasEnded = true;
    },
    /** Drops the packets that were not played. */
    flush(): void {
      [packets, next, padding, unreported] = [[], 0, 0, 0];
      [hasEnded, hasDrained, isPlaying] = [false, false, false];
    },
    /** Sends the due packets, if `send` is set. */
    frames(count: number): void {
      const { send } = stream;
      if (!send) return;
      const skipped = Math.max(0, count - MAX_CATCH_UP_FRAMES);
      if (skipped > 0) {
        stats.skippedMs += skipped * FRAME_MS;
        writer.skip(skipped * FRAME_MS);
      }
      const unreportedBefore = unreported;
      const { packetsSent: sentBefore, underruns: underrunsBefore } = stats;
      for (dueMs += (count - skipped) * FRAME_MS; dueMs > 0;) {
        const packet = take();
        const durationMs = opusDurationMs(packet);
        if (packet !== SILENCE) unreported += 1;
        dueMs -= durationMs;
        stats.packetsSent += 1;
        send(writer.write(packet, durationMs));
      }
      const hasPlayed = unreported > unreportedBefore;
      if (!hasPlayed && hasEnded && !stream.isPaused && stats.packetsSent > sentBefore)
        padding += 1;
      if (unreported >= REPORT_PACKETS || stats.underruns > underrunsBefore) report('played');
      if (padding < PADDING_TIMES || hasDrained) return;
      hasDrained = true;
      report('drained');
    },
  };
  return stream;
}

const HEADER_BYTES = 12;
const VERSION = 0x80;
const TICKS_PER_MS = 48;

/** Numbers the packets of one stream (RFC 3550, section 5.1; RFC 7587: 48 kHz whatever the bandwidth). */
function createRtpWriter(ssrc: number, random: () => number) {
  let sequence = Math.floor(random() * 2 ** 16);
  let timestamp = Math.floor(random() * 2 ** 32);
  const pass = (durationMs: number): void => {
    timestamp = (timestamp + durationMs * TICKS_PER_MS) % 2 ** 32;
  };
  return {
    /** Returns the RTP packet for a payload of this duration. */
    write(payload: Uint8Array, durationMs: number): Buffer {
      const packet = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
      packet[0] = VERSION;
      packet[1] = PAYLOAD_TYPE;
      packet.writeUInt16BE(sequence, 2);
      packet.writeUInt32BE(timestamp, 4);
      packet.writeUInt32BE(ssrc, 8);
      packet.set(payload, HEADER_BYTES);
      sequence = (sequence + 1) % 2 ** 16;
      pass(durationMs);
      return packet;
    },
    /** Leaves a gap in time, without one in the numbers: nothing was lost. */
    skip: pass,
  };
}

/** Creates one schedule of 20 ms for all streams. Its times are absolute, so that delays of timers do not add up. */
export function createPacer(clock: Clock) {
  const streams = new Set<(count: number) => void>();
  let lastMs = 0;
  let timer: Timer | undefined;

  function schedule(): void {
    timer = clock.setTimeout(tick, lastMs + FRAME_MS - clock.monotonic());
  }

  function tick(): void {
    const count = Math.floor((clock.monotonic() - lastMs) / FRAME_MS);
    lastMs += count * FRAME_MS;
    schedule();
    // A timer may fire up to a millisecond early.
    if (count === 0) return;
    for (const onFrames of streams) onFrames(count);
  }

  return {
    /**
     * Calls `onFrames` with the number of frames that are due since the last call: 1, or more after the event loop was blocked.
     *
     * @returns a function that ends the calls.
     */
    add(onFrames: (count: number) => void): () => void {
      if (streams.size === 0) {
        lastMs = clock.monotonic();
        schedule();
      }
      streams.add(onFrames);
      return () => {
        if (streams.delete(onFrames) && streams.size === 0) timer?.cancel();
      };
    },
  };
}
