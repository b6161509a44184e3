import { onAbort, raceAbort } from '@virgule/core/abort';
import { errorText } from '@virgule/core/errors';
import { sourceError, voiceErrors } from '../errors/voice-errors.js';
import type { Host, HostReply, SendStats } from '../host/message.js';
import { toSource, type AudioSource, type SourceInput } from '../source/audio-source.js';
import { Connection, type StreamContext } from './connection.js';
import { Pump } from './pump.js';
import { StreamEvents, type StreamEvent, type StreamState } from './stream-events.js';

/**
 * Reason for the end of a stream. `replaced`: another stream to the same channel began. `source-error`: the last source
 * failed. The failure of an earlier source is an event, and the next source follows.
 */
export type FinishReason = 'ended' | 'aborted' | 'closed' | 'replaced' | 'lost' | 'source-error';

/** End of a stream. */
export interface Finished {
  readonly reason: FinishReason;
  /** Audio that was played, of all sources, in milliseconds. */
  readonly playedMs: number;
  /** Number of times that the source was too slow. */
  readonly underruns: number;
  /** Error of `lost` and `source-error`. */
  readonly error?: unknown;
}

/** Audio that is sent to a voice channel. */
export class VoiceStream implements AsyncDisposable {
  readonly channelId: string;
  /** Resolves when the stream has ended and its ingress is closed, or could not be closed soon; it never rejects. */
  readonly finished: Promise<Finished>;
  /** The sources that follow. */
  readonly queue: {
    /** Adds a source. The source is opened before the end of the playing source, so that there is no gap. */
    add(source: SourceInput): void;
    /** Names of the sources that wait. */
    readonly names: readonly string[];
  };

  readonly #context: StreamContext;
  readonly #pump: Pump;
  readonly #closing = new AbortController();
  readonly #events = new StreamEvents();
  readonly #connection: Connection;
  #state: StreamState = 'connecting';
  #isPaused = false;
  #stats: SendStats = { packetsSent: 0, underruns: 0, skippedMs: 0 };
  /** Resolves `start` when the source has begun. */
  #onRead: (() => void) | undefined;
  #isStarted = false;
  #finish!: (finished: Finished) => void;

  /** @internal Use `voice.stream()`. */
  constructor(context: StreamContext) {
    this.#context = context;
    this.channelId = context.channelId;
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    const { clock, id } = context;
    const send = (request: Parameters<Host['send']>[0]): void => {
      if (!this.#closing.signal.aborted) context.host().send(request);
    };
    this.#pump = new Pump({
      clock,
      send: (request) => {
        if (request.type !== 'flush') this.#onRead?.();
        send({ ...request, id });
      },
      onTrack: (track) => track && this.#events.emit({ type: 'track', name: track.source.name }),
      onError: (track, error) => this.#sourceFailed(track.source.name, error),
    });
    this.#pump.volume = context.volume;
    const resumed = () => this.#setState(this.#isPaused ? 'paused' : 'buffering');
    this.#connection = new Connection({
      context,
      closing: this.#closing.signal,
      onConnecting: () => {
        this.#pump.resend();
        if (this.#isPaused) send({ type: 'pause', id, isPaused: true });
      },
      onConnected: resumed,
      onReconnecting: () => this.#setState('reconnecting'),
      onLost: (error) => void this.#close('lost', error),
    });
    const { tracks } = this.#pump;
    this.queue = {
      add: (input) => {
        this.#check();
        this.#pump.add(toSource(input));
      },
      get names() {
        return tracks.slice(1).map((track) => track.source.name);
      },
    };
  }

  /** @internal `true` once the stream has ended, although its ingress may be open. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Name of the source that plays. */
  get playing(): string | undefined {
    return this.#pump.playing?.source.name;
  }

  /** Played part of the source, in milliseconds. */
  get positionMs(): number {
    return this.#pump.playing?.positionMs ?? 0;
  }

  get stats(): SendStats {
    return this.#stats;
  }

  /** Factor of the loudness, 1 at first. Change it with `setVolume`. */
  get volume(): number {
    return this.#pump.volume;
  }

  /** Sends silence; the connection stays open. */
  pause(): void {
    this.#setPaused(true);
  }

  resume(): void {
    this.#setPaused(false);
  }

  /** Ends the source that plays. After the last one, the stream ends. */
  skip(): void {
    this.#check();
    if (!this.#pump.skip()) void this.#close('ended');
  }

  /**
   * Continues at another position, as soon as the source is open there. If it cannot be opened again, the playback continues.
   *
   * @throws VirguleError `E_VOICE_SOURCE` if the source can be read only once, such as a stream, or cannot be read;
   * `E_VOICE_CALL` if the stream ends before.
   */
  async seek(positionMs: number): Promise<void> {
    this.#check();
    if (!Number.isFinite(positionMs) || positionMs < 0)
      throw sourceError('it has no such position', 'Use a number of milliseconds from its start.');
    await this.#pump.reopen({ positionMs });
  }

  /**
   * Changes the loudness, with ffmpeg: 0 is silence, 1 the original. Without ffmpeg, the playback continues at the volume that
   * it had.
   *
   * @throws VirguleError `E_VOICE_SOURCE` if ffmpeg cannot be started, or the source cannot be read again; `E_VOICE_CALL`
   * if the stream ends before.
   */
  async setVolume(volume: number): Promise<void> {
    this.#check();
    checkVolume(volume, this.#pump.playing?.source);
    await this.#pump.reopen({ volume });
  }

  /** Returns the events from now on, until the stream has ended. A slow reader loses the oldest events. */
  events(): AsyncGenerator<StreamEvent> {
    return this.#events.read();
  }

  /** Ends the stream and closes its ingress. */
  async close(): Promise<void> {
    await this.#close('closed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal Opens the ingress, connects, and resolves when the source has begun. Until then, silence is sent. */
  async start(source: AudioSource, signal: AbortSignal | undefined): Promise<void> {
    const detach = signal && onAbort(signal, () => void this.#close('aborted'));
    void this.finished.then(() => detach?.());
    const hasRead = new Promise<void>((resolve) => (this.#onRead = resolve));
    this.#pump.add(source);
    try {
      await this.#connection.open();
      await raceAbort(hasRead, this.#closing.signal);
      this.#isStarted = true;
    } catch (error) {
      // A failed source has its own reason.
      const isOwn = !this.#closing.signal.aborted;
      await this.#close(isOwn ? 'lost' : 'closed', error);
      signal?.throwIfAborted();
      throw isOwn ? error : ((await this.finished).error ?? voiceErrors.E_VOICE_CALL({}));
    }
  }

  /** @internal Replaces this stream by another one to the same channel. */
  async replace(): Promise<void> {
    await this.#close('replaced');
  }

  /** @internal Receives what the host reports. */
  receive(reply: HostReply): void {
    if (!('epoch' in reply)) return this.#connection.receive(reply);
    const { type, epoch, count, stats } = reply;
    const isDry = stats.underruns > this.#stats.underruns;
    this.#stats = stats;
    this.#setState(this.#isPaused ? 'paused' : isDry ? 'buffering' : 'playing');
    this.#pump.played(epoch, count);
    const { failure } = this.#pump.tracks.at(-1) ?? {};
    if (type === 'drained' && this.#pump.drained(epoch))
      void this.#close(failure ? 'source-error' : 'ended', failure?.error);
  }

  /** @internal The host has ended by itself: another one continues. */
  hostGone(reason: string): void {
    this.#connection.hostGone(reason);
  }

  #sourceFailed(name: string, error: unknown): void {
    const { channelId, log } = this.#context;
    this.#events.emit({ type: 'source-error', name, error });
    // Nothing was played, so that the caller of `stream` gets the error.
    if (!this.#isStarted && this.#pump.tracks.length === 1) void this.#close('source-error', error);
    else log.warn({ channelId, source: name, error: errorText(error) }, 'an audio source failed');
  }

  async #close(reason: FinishReason, error?: unknown): Promise<void> {
    if (this.#closing.signal.aborted) return void (await this.finished);
    // Waiting methods, such as `start`, see the abort before they continue.
    this.#closing.abort(voiceErrors.E_VOICE_CALL({}));
    this.#pump.close();
    await this.#connection.close();
    this.#setState('closed');
    this.#context.onClosed();
    const hasError = reason === 'lost' || reason === 'source-error';
    const { totalPlayedMs: playedMs } = this.#pump;
    const { underruns } = this.#stats;
    this.#finish({ reason, playedMs, underruns, ...(hasError && { error }) });
  }

  #setPaused(isPaused: boolean): void {
    this.#check();
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    const { id, host } = this.#context;
    host().send({ type: 'pause', id, isPaused });
    if (this.#state !== 'connecting' && this.#state !== 'reconnecting')
      this.#setState(isPaused ? 'paused' : 'buffering');
  }

  #check(): void {
    if (this.#closing.signal.aborted) throw voiceErrors.E_VOICE_CALL({});
  }

  #setState(state: StreamState): void {
    if (this.#state === state || this.#state === 'closed') return;
    this.#state = state;
    this.#events.emit({ type: 'state', state });
    if (state === 'closed') this.#events.end();
  }
}

/** @throws VirguleError `E_VOICE_SOURCE` for a volume that cannot be applied. */
export function checkVolume(volume: number, source: AudioSource | undefined): void {
  if (!(volume >= 0 && volume <= 10))
    throw sourceError(`the volume ${volume} is out of range`, 'Choose one from 0 to 10.');
  if (volume !== 1 && source?.hasVolume === false)
    throw sourceError(`the volume of ${source.name} is fixed`, 'Play a file or a URL, or omit it.');
}
