import { opusDurationMs, SILENCE } from '../opus/opus-packet.js';
import { FRAME_MS } from '../pacer/pacer.js';
import type { RtpWriter } from '../rtp/rtp-writer.js';
import type { SendStats } from './message.js';

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
/** Played packets that are dropped together: 10 seconds of audio. */
const MAX_KEPT = 500;

/** Sends the packets of one stream when they are due, and silence when there are none. */
export interface PacedStream {
  readonly stats: SendStats;
  push(packets: readonly Uint8Array[]): void;
  /** No packets follow: when the last one was played, `onDrained` is called. */
  end(): void;
  /** Drops the packets that were not played. */
  flush(): void;
  isPaused: boolean;
  /** Sends what is due, if `send` is set. */
  frames(count: number): void;
  /** Without it, the stream waits: nothing is played while it is not connected. */
  send: ((packet: Buffer) => void) | undefined;
}

export function createPacedStream(options: {
  readonly writer: RtpWriter;
  readonly onPlayed: (count: number) => void;
  /** Audio was missing when it was due. */
  readonly onUnderrun: () => void;
  readonly onDrained: () => void;
}): PacedStream {
  const { writer, onPlayed, onUnderrun, onDrained } = options;
  let packets: Uint8Array[] = [];
  let next = 0;
  let hasEnded = false;
  let hasDrained = false;
  let padding = 0;
  let dueMs = 0;
  let isPlaying = false;
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

  const stream: PacedStream = {
    isPaused: false,
    send: undefined,
    get stats() {
      return { ...stats };
    },
    push(more) {
      packets.push(...more);
      [hasEnded, hasDrained, padding] = [false, false, 0];
    },
    end() {
      hasEnded = true;
    },
    flush() {
      [packets, next, padding] = [[], 0, 0];
      [hasEnded, hasDrained, isPlaying] = [false, false, false];
    },
    frames(count) {
      const { send } = stream;
      if (!send) return;
      const skipped = Math.max(0, count - MAX_CATCH_UP_FRAMES);
      if (skipped > 0) {
        stats.skippedMs += skipped * FRAME_MS;
        writer.skip(skipped * FRAME_MS);
      }
      let played = 0;
      const { packetsSent: sentBefore, underruns: underrunsBefore } = stats;
      for (dueMs += (count - skipped) * FRAME_MS; dueMs > 0;) {
        const packet = take();
        const durationMs = opusDurationMs(packet);
        if (packet !== SILENCE) played += 1;
        dueMs -= durationMs;
        stats.packetsSent += 1;
        send(writer.write(packet, durationMs));
      }
      if (played > 0) onPlayed(played);
      else if (hasEnded && !stream.isPaused && stats.packetsSent > sentBefore) padding += 1;
      if (stats.underruns > underrunsBefore) onUnderrun();
      if (padding < PADDING_TIMES || hasDrained) return;
      hasDrained = true;
      onDrained();
    },
  };
  return stream;
}
