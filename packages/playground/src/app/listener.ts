import { signal } from '@preact/signals';
import type { SimAudio } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';

/** Level that is shown as silence, in decibels below the maximum. */
const FLOOR_DB = 60;

/** Returns the loudness of samples from 0 to 100, as ears perceive it: 60 dB below the maximum is 0. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length));
  return Math.round(Math.min(100, Math.max(0, 100 * (1 + decibels / FLOOR_DB))));
}

/** Time between two reads of new packets, in milliseconds. */
const POLL_MS = 250;
/** Delay of the playback, in seconds, which hides late responses. */
const DELAY_SECONDS = 0.3;
const PACKET_MICROSECONDS = 20_000;

/** Shown state of the audio of a voice channel. */
export interface ChannelAudio extends Pick<SimAudio, 'packets' | 'lost' | 'isStereo'> {
  /** Loudness from 0 to 100; `null` in a browser that cannot decode Opus. */
  readonly level: number | null;
}

export function createListener(api: SimApi, channelId: string, window: Window & typeof globalThis) {
  /** `null` while nothing is published. */
  const audio = signal<ChannelAudio | null>(null);
  const isPlaying = signal(false);
  let next = 0;
  let level = 0;
  let timer: number | undefined;
  let isClosed = false;
  let context: AudioContext | undefined;
  /** Time at which the next packet is played, on the clock of the context. */
  let playAt = 0;

  const canDecode = 'AudioDecoder' in window;
  let decoder: AudioDecoder | undefined;

  function openDecoder(): AudioDecoder {
    const opened = new window.AudioDecoder({
      output: (data) => {
        take(data);
        data.close();
      },
      // A damaged packet ends the decoder; the next packet opens a new decoder.
      error: () => (decoder = undefined),
    });
    opened.configure({ codec: 'opus', sampleRate: 48_000, numberOfChannels: 2 });
    return opened;
  }

  function take(data: AudioData): void {
    const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
      const samples = new Float32Array(data.numberOfFrames);
      data.copyTo(samples, { planeIndex, format: 'f32-planar' });
      return samples;
    });
    level = Math.max(level, ...channels.map(levelOf));
    if (!context || !isPlaying.peek()) return;
    const buffer = context.createBuffer(channels.length, data.numberOfFrames, data.sampleRate);
    for (const [index, samples] of channels.entries()) buffer.copyToChannel(samples, index);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    if (playAt < context.currentTime) playAt = context.currentTime + DELAY_SECONDS;
    source.start(playAt);
    playAt += buffer.duration;
  }

  function decode({ first, payloads }: SimAudio): void {
    for (const [index, payload] of payloads.entries()) {
      decoder ??= openDecoder();
      const data = Uint8Array.from(window.atob(payload), (letter) => letter.charCodeAt(0));
      const timestamp = (first + index) * PACKET_MICROSECONDS;
      decoder.decode(new window.EncodedAudioChunk({ type: 'key', timestamp, data }));
    }
    next = first + payloads.length;
  }

  async function poll(): Promise<void> {
    const answer = await api
      .read('audio', { channel: channelId, after: next })
      .then((read) => read.audio)
      .catch(() => null);
    if (isClosed) return;
    if (answer && canDecode) decode(answer);
    audio.value = answer && { ...answer, level: canDecode ? level : null };
    // Audio that is decoded from now on is shown with the next response.
    level = 0;
    timer = window.setTimeout(() => void poll(), POLL_MS);
  }
  void poll();

  return {
    audio,
    isPlaying,
    /** Starts or stops the playback. Browsers allow a start only in a click. */
    play(wanted: boolean) {
      if (wanted) context ??= new window.AudioContext({ sampleRate: 48_000 });
      void (wanted ? context?.resume() : context?.suspend());
      playAt = 0;
      isPlaying.value = wanted;
    },
    close() {
      isClosed = true;
      window.clearTimeout(timer);
      if (decoder && decoder.state !== 'closed') decoder.close();
      void context?.close();
    },
  };
}
