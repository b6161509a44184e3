import { raceAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import type { AudioRequest } from '../host/message.js';
import { sourceError, voiceErrors } from '../errors/voice-errors.js';
import { opusDurationMs, skipPackets } from '../opus/opus-packet.js';
import type { AudioSource } from '../source/audio-source.js';
import { checkPackets } from '../source/read-opus.js';

export interface Track {
  readonly source: AudioSource;
  /** Played part of the source, in milliseconds. */
  positionMs: number;
  /** Error of the last reading, if the source could not be read to its end. */
  failure?: { readonly error: unknown } | undefined;
}

/** Audio that is read ahead of the playback, in milliseconds: the event loop may be blocked for this time. */
const AHEAD_MS = 10_000;
const BATCH_PACKETS = 25;
/** While the host has less than this, in milliseconds, packets are sent at once: the source may not continue soon. */
const LOW_MS = 500;

export interface PumpOptions {
  readonly clock: Clock;
  readonly send: (request: AudioRequest) => void;
  /** The next source begins to play; `undefined` after the last. */
  readonly onTrack: (track: Track | undefined) => void;
  readonly onError: (track: Track, error: unknown) => void;
}

interface Reopening {
  /** @defaultValue where it plays */
  readonly positionMs?: number;
  /** @defaultValue the current one */
  readonly volume?: number;
}

/** Reads the sources of a stream one after the other, ahead of the playback. */
export class Pump {
  readonly #options: PumpOptions;
  /** Tracks that play, are read or wait, in order. */
  readonly tracks: Track[] = [];
  /** Packets that were read and sent to the host, but not played. */
  #unplayed: { readonly packet: Uint8Array; readonly durationMs: number; readonly track: Track }[] =
    [];
  #unplayedMs = 0;
  /** Number of these packets that the host has, and their duration. */
  #sent = { count: 0, ms: 0 };
  #epoch = 0;
  #reading = 0;
  #reader = new AbortController();
  /** The calls that read the playing source again, one after the other, and the reader of the current one. */
  #reopening: Promise<void> = Promise.resolve();
  #nextReader: AbortController | undefined;
  #isReading = false;
  #hasEnded = false;
  #isClosed = false;
  #wake: (() => void) | undefined;
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

  played(epoch: number, count: number): void {
    if (epoch !== this.#epoch) return;
    for (const { durationMs, track } of this.#unplayed.splice(0, count)) {
      this.#unplayedMs -= durationMs;
      this.#sent = { count: this.#sent.count - 1, ms: this.#sent.ms - durationMs };
      this.#advanceTo(track);
      track.positionMs += durationMs;
      this.totalPlayedMs += durationMs;
    }
    // All of it was read and played.
    const next = this.#unplayed[0]?.track ?? this.tracks[1];
    if (this.#reading > 0 && next) this.#advanceTo(next);
    if (this.#sent.ms < LOW_MS) this.#send();
    this.#wake?.();
  }

  drained(epoch: number): boolean {
    return epoch === this.#epoch && this.#hasEnded;
  }

  /** Ends the playing track. Returns whether there is a next one. */
  skip(): boolean {
    const track = this.playing;
    if (!track) return false;
    if (this.#reading === 0) this.#stopReading();
    else this.#reading -= 1;
    this.#unplayed = this.#unplayed.filter((each) => each.track !== track);
    this.#unplayedMs = this.#unplayed.reduce((sum, each) => sum + each.durationMs, 0);
    this.tracks.shift();
    // A source without data would never end its reader.
    track.source.discard?.();
    this.#options.onTrack(this.playing);
    this.resend();
    this.#start();
    return this.tracks.length > 0;
  }

  /**
   * Opens the playing source again, at another position or volume, and continues with it once it has begun. Until then,
   * and if it cannot be read, nothing changes.
   *
   * @throws VirguleError `E_VOICE_SOURCE`, `E_VOICE_CALL`, or the error of the source.
   */
  reopen(change: Reopening): Promise<void> {
    const reopened = this.#reopening.then(() => this.#reopen(change));
    this.#reopening = reopened.catch(() => {});
    return reopened;
  }

  async #reopen({ positionMs, volume = this.volume }: Reopening): Promise<void> {
    if (this.#isClosed) throw voiceErrors.E_VOICE_CALL({});
    const track = this.playing;
    if (!track) {
      this.volume = volume;
      return;
    }
    this.#checkReopenable();
    const { clock } = this.#options;
    const reader = (this.#nextReader = new AbortController());
    const { signal } = reader;
    const fromMs = positionMs ?? track.positionMs;
    const packets = checkPackets(track.source.open({ fromMs, volume, signal, clock }));
    try {
      const first = await raceAbort(packets.next(), signal);
      // The next source may have begun by now. The volume applies to it, the position does not.
      if (this.playing !== track)
        return volume === this.volume ? undefined : await this.#reopen({ volume });
      this.#checkReopenable();
      this.#stopReading(reader);
      this.#reading = 0;
      [this.#unplayed, this.#unplayedMs] = [[], 0];
      // Time that was played while the source was opened.
      const skippedMs = positionMs === undefined ? track.positionMs - fromMs : 0;
      track.positionMs = fromMs + skippedMs;
      this.volume = volume;
      this.resend();
      this.#start(skipPackets(skippedMs, packets, first));
    } finally {
      if (this.#reader !== reader) {
        reader.abort();
        void packets.return(undefined).catch(() => {});
      }
    }
  }

  /** @throws VirguleError `E_VOICE_SOURCE` if what was read of the tracks cannot be read again. */
  #checkReopenable(): void {
    const read = this.tracks.slice(0, this.#reading + 1);
    if (!read.every(({ source }) => source.isReopenable))
      throw sourceError('it can be read only once', 'Play a file or a URL.');
  }

  close(): void {
    this.#isClosed = true;
    this.#nextReader?.abort(voiceErrors.E_VOICE_CALL({}));
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

  #send(): void {
    const packets = this.#unplayed.slice(this.#sent.count).map(({ packet }) => packet);
    this.#sent = { count: this.#unplayed.length, ms: this.#unplayedMs };
    if (packets.length > 0) this.#options.send({ type: 'packets', epoch: this.#epoch, packets });
  }

  #sendEnd(): void {
    this.#hasEnded = true;
    this.#options.send({ type: 'end', epoch: this.#epoch });
  }

  #stopReading(next = new AbortController()): void {
    this.#reader.abort();
    this.#reader = next;
    this.#isReading = false;
    this.#wake?.();
  }

  /** Begins an epoch: sends what was not played again. */
  resend(): void {
    this.#epoch += 1;
    this.#options.send({ type: 'flush', epoch: this.#epoch });
    this.#sent = { count: 0, ms: 0 };
    this.#send();
    const wasRead = this.#reading >= this.tracks.length;
    this.#hasEnded = false;
    if (wasRead && this.tracks.length > 0 && !this.#isReading) this.#sendEnd();
  }

  /** @param opened - the packets of the first track, if it is open already */
  #start(opened?: AsyncIterable<Uint8Array>): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#read(this.#reader.signal, opened).catch(() => {});
  }

  async #read(signal: AbortSignal, opened: AsyncIterable<Uint8Array> | undefined): Promise<void> {
    let packets = opened;
    for (;;) {
      const track = this.tracks[this.#reading];
      if (!track) break;
      try {
        await this.#readTrack(track, signal, packets);
      } catch (error) {
        if (signal.aborted) return;
        track.failure = { error };
        this.#options.onError(track, error);
      }
      if (signal.aborted) return;
      packets = undefined;
      this.#reading += 1;
    }
    this.#isReading = false;
    this.#sendEnd();
  }

  async #readTrack(
    track: Track,
    signal: AbortSignal,
    opened: AsyncIterable<Uint8Array> | undefined,
  ): Promise<void> {
    const { clock } = this.#options;
    const fromMs = track === this.playing ? track.positionMs : 0;
    track.failure = undefined;
    try {
      // Packets that are not Opus would interrupt all streams of the host.
      const packets =
        opened ?? checkPackets(track.source.open({ fromMs, volume: this.volume, signal, clock }));
      for await (const packet of packets) {
        if (signal.aborted) return;
        const durationMs = opusDurationMs(packet);
        this.#unplayed.push({ packet, durationMs, track });
        this.#unplayedMs += durationMs;
        const isBatch = this.#unplayed.length - this.#sent.count >= BATCH_PACKETS;
        if (isBatch || this.#unplayedMs >= AHEAD_MS || this.#sent.ms < LOW_MS) this.#send();
        while (this.#unplayedMs >= AHEAD_MS && !signal.aborted)
          await new Promise<void>((resolve) => (this.#wake = resolve));
        if (signal.aborted) return;
      }
    } finally {
      // Packets that were read before a failure are sent too.
      if (!signal.aborted) this.#send();
    }
  }
}
