import type { Clock } from '@virgule/core/clock';
import { opusDurationMs } from '../opus/opus-packet.js';
import type { AudioSource } from '../source/audio-source.js';
import { checkPackets } from '../source/read-opus.js';

/** A source in the queue of a stream. */
export interface Track {
  readonly source: AudioSource;
  /** How much of it was played, in milliseconds. */
  positionMs: number;
}

interface QueuedPacket {
  readonly packet: Uint8Array;
  readonly durationMs: number;
  readonly track: Track;
}

/** How much is read ahead of the playback, in milliseconds: the event loop may be blocked for this time. */
const AHEAD_MS = 10_000;
const BATCH_PACKETS = 25;
/** While the host has less than this, in milliseconds, packets are sent at once: the source may not continue soon. */
const LOW_MS = 500;

export interface PumpOptions {
  readonly clock: Clock;
  readonly sendPackets: (epoch: number, packets: readonly Uint8Array[]) => void;
  readonly sendEnd: (epoch: number) => void;
  readonly sendFlush: (epoch: number) => void;
  /** The next source begins to play; `undefined` after the last. */
  readonly onTrack: (track: Track | undefined) => void;
  readonly onError: (track: Track, error: unknown) => void;
}

/** Reads the sources of a stream one after the other, ahead of the playback. */
export class Pump {
  readonly #options: PumpOptions;
  /** Those that play, are read or wait, in their order. */
  readonly tracks: Track[] = [];
  /** Read and sent to the host, but not played. */
  #unplayed: QueuedPacket[] = [];
  #unplayedMs = 0;
  #epoch = 0;
  /** The track that is read: an index. */
  #reading = 0;
  #reader = new AbortController();
  #isReading = false;
  #hasEnded = false;
  #isClosed = false;
  #wake: (() => void) | undefined;
  /** Read, but not sent yet. */
  #batch: Uint8Array[] = [];
  #batchMs = 0;
  volume = 1;
  /** Audio that was played, of all tracks, in milliseconds. */
  totalPlayedMs = 0;

  constructor(options: PumpOptions) {
    this.#options = options;
  }

  get playing(): Track | undefined {
    return this.tracks[0];
  }

  add(source: AudioSource): void {
    // A stream may end before it begins.
    if (this.#isClosed) return source.discard?.();
    const track: Track = { source, positionMs: 0 };
    this.tracks.push(track);
    if (this.tracks.length === 1) this.#options.onTrack(track);
    this.#hasEnded = false;
    this.#start();
  }

  /** The host has played packets. */
  played(epoch: number, count: number): void {
    if (epoch !== this.#epoch) return;
    for (const { durationMs, track } of this.#unplayed.splice(0, count)) {
      this.#unplayedMs -= durationMs;
      this.#advanceTo(track);
      track.positionMs += durationMs;
      this.totalPlayedMs += durationMs;
    }
    // All of it was read and played.
    const next = this.#unplayed[0]?.track ?? this.tracks[1];
    if (this.#reading > 0 && next) this.#advanceTo(next);
    if (this.#isLow()) this.#send();
    this.#wake?.();
  }

  /** The host has played everything. */
  drained(epoch: number): boolean {
    return epoch === this.#epoch && this.#hasEnded;
  }

  /** Ends the playing track. Returns whether there is a next one. */
  skip(): boolean {
    const track = this.playing;
    if (!track) return false;
    if (this.#reading === 0) this.#stopReading();
    else this.#reading -= 1;
    this.#drop(track);
    this.tracks.shift();
    // It may send nothing, so that its reader does not end.
    track.source.discard?.();
    this.#options.onTrack(this.playing);
    this.resend();
    this.#start();
    return this.tracks.length > 0;
  }

  /** Plays the first track from another position. The caller has checked that it can be read again. */
  seek(positionMs: number): void {
    const track = this.playing;
    if (!track) return;
    this.#stopReading();
    this.#reading = 0;
    [this.#unplayed, this.#unplayedMs] = [[], 0];
    track.positionMs = positionMs;
    this.resend();
    this.#start();
  }

  /** Returns whether what was read of the tracks can be read again. */
  canSeek(): boolean {
    return this.tracks.slice(0, this.#reading + 1).every(({ source }) => source.isReopenable);
  }

  close(): void {
    this.#isClosed = true;
    this.#stopReading();
    for (const { source } of this.tracks.splice(0)) source.discard?.();
    this.#unplayed = [];
  }

  #advanceTo(track: Track): void {
    while (this.playing && this.playing !== track) {
      this.tracks.shift();
      this.#reading -= 1;
      this.#options.onTrack(this.playing);
    }
  }

  #drop(track: Track): void {
    this.#unplayed = this.#unplayed.filter((each) => each.track !== track);
    this.#unplayedMs = this.#unplayed.reduce((sum, each) => sum + each.durationMs, 0);
  }

  #isLow(): boolean {
    return this.#unplayedMs - this.#batchMs < LOW_MS;
  }

  #send(): void {
    const batch = this.#batch;
    [this.#batch, this.#batchMs] = [[], 0];
    if (batch.length > 0) this.#options.sendPackets(this.#epoch, batch);
  }

  #stopReading(): void {
    this.#reader.abort();
    this.#reader = new AbortController();
    this.#isReading = false;
    this.#wake?.();
  }

  /** Begins an epoch: sends what was not played again. */
  resend(): void {
    this.#epoch += 1;
    this.#options.sendFlush(this.#epoch);
    [this.#batch, this.#batchMs] = [[], 0];
    const packets = this.#unplayed.map(({ packet }) => packet);
    if (packets.length > 0) this.#options.sendPackets(this.#epoch, packets);
    const wasRead = this.#reading >= this.tracks.length;
    this.#hasEnded = wasRead && this.tracks.length > 0 && !this.#isReading;
    if (this.#hasEnded) this.#options.sendEnd(this.#epoch);
  }

  #start(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const { signal } = this.#reader;
    void this.#read(signal).catch(() => {});
  }

  async #read(signal: AbortSignal): Promise<void> {
    for (;;) {
      const track = this.tracks[this.#reading];
      if (!track) break;
      try {
        await this.#readTrack(track, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onError(track, error);
      }
      if (signal.aborted) return;
      this.#reading += 1;
    }
    this.#isReading = false;
    this.#hasEnded = true;
    this.#options.sendEnd(this.#epoch);
  }

  async #readTrack(track: Track, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const fromMs = track === this.playing ? track.positionMs : 0;
    try {
      const packets = track.source.open({ fromMs, volume: this.volume, signal, clock });
      // Anything else would interrupt all streams of the host.
      for await (const packet of checkPackets(packets)) {
        if (signal.aborted) return;
        const durationMs = opusDurationMs(packet);
        this.#unplayed.push({ packet, durationMs, track });
        this.#unplayedMs += durationMs;
        this.#batch.push(packet);
        this.#batchMs += durationMs;
        const isAhead = this.#unplayedMs >= AHEAD_MS;
        if (this.#batch.length >= BATCH_PACKETS || isAhead || this.#isLow()) this.#send();
        while (this.#unplayedMs >= AHEAD_MS && !signal.aborted)
          await new Promise<void>((resolve) => (this.#wake = resolve));
        if (signal.aborted) return;
      }
    } finally {
      // Also what was read before it failed.
      if (!signal.aborted) this.#send();
    }
  }
}
