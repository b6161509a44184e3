import { linkSignals, onAbort, raceAbort } from '@virgule/core/abort';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { sourceError, voiceErrors } from '../errors/voice-errors.js';
import type { Host, HostReply, SendStats } from '../host/message.js';
import { toSource, type AudioSource, type SourceInput } from '../source/audio-source.js';
import { Pump } from './pump.js';

/** `buffering`: the source is slower than the playback. */
export type StreamState =
  | 'connecting'
  | 'buffering'
  | 'playing'
  | 'paused'
  | 'reconnecting'
  | 'closed';

/** Why a stream has ended. `replaced`: by another stream to the same channel. */
export type FinishReason = 'ended' | 'aborted' | 'closed' | 'replaced' | 'lost' | 'source-error';

export interface Finished {
  readonly reason: FinishReason;
  /** Audio that was played, of all sources, in milliseconds. */
  readonly playedMs: number;
  /** How often the source was too slow. */
  readonly underruns: number;
  /** With `lost` and `source-error`. */
  readonly error?: unknown;
}

export type StreamEvent =
  | { readonly type: 'state'; readonly state: StreamState }
  /** A source begins to play. */
  | { readonly type: 'track'; readonly name: string }
  /** A source cannot be played; the next one follows. */
  | { readonly type: 'source-error'; readonly name: string; readonly error: unknown };

/** An ingress, as the REST client returns it. */
export interface StreamIngress {
  readonly ingressId: string;
  readonly url: string;
  readonly streamKey: string;
  close(): Promise<void>;
}

export interface StreamContext {
  readonly id: number;
  readonly channelId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly volume: number;
  /** Returns the host, which is started if there is none. */
  readonly host: () => Host;
  readonly openIngress: (channelId: string, signal: AbortSignal) => Promise<StreamIngress>;
  /** Called when nothing of the stream is left. */
  readonly onClosed: () => void;
}

const RECONNECT_ATTEMPTS = 3;
const RECONNECT_PAUSE_MS = 250;
/** A connection that fails within this time, in milliseconds, was not a matter of the network. */
const FAILED_AT_ONCE_MS = 5_000;
/** Time for the host to end the session, in milliseconds, before the ingress is closed anyway. */
const HOST_CLOSE_MS = 1_000;
/**
 * How long the end of a stream waits for its ingress to be closed, in milliseconds. After that, closing continues: a
 * platform that does not answer must not hold the bot.
 */
const INGRESS_CLOSE_MS = 1_000;
/** An unknown number of listeners may read slowly, or not at all. */
const MAX_EVENTS = 100;

/** Audio that is sent to a voice channel. */
export class VoiceStream implements AsyncDisposable {
  readonly channelId: string;
  /** Resolves when the stream has ended and its ingress is closed, or could not be closed soon; it never rejects. */
  readonly finished: Promise<Finished>;
  /** The sources that follow. */
  readonly queue: {
    /** Adds a source. It is opened before the one that plays has ended, so that there is no gap. */
    add(source: SourceInput): void;
    /** Names of the sources that wait. */
    readonly names: readonly string[];
  };

  readonly #context: StreamContext;
  readonly #pump: Pump;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #ingress: StreamIngress | undefined;
  #state: StreamState = 'connecting';
  #isPaused = false;
  #stats: SendStats = { packetsSent: 0, underruns: 0, skippedMs: 0 };
  #onConnected: ((lost: Extract<HostReply, { type: 'lost' }> | undefined) => void) | undefined;
  #onHostClosed: (() => void) | undefined;
  /** Resolves `start` when the source has begun. */
  #onRead: (() => void) | undefined;
  #isStarted = false;
  #closed: Promise<void> | undefined;
  #finish!: (finished: Finished) => void;
  #sourceFailure: unknown;

  /** @internal Use `voice.stream()`. */
  constructor(context: StreamContext, source: AudioSource) {
    this.#context = context;
    this.channelId = context.channelId;
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    const { clock, id } = context;
    const send = (request: Parameters<Host['send']>[0]): void => {
      if (!this.#closing.signal.aborted) context.host().send(request);
    };
    this.#pump = new Pump({
      clock,
      sendPackets: (epoch, packets) => {
        this.#onRead?.();
        send({ type: 'packets', id, epoch, packets });
      },
      sendEnd: (epoch) => {
        this.#onRead?.();
        send({ type: 'end', id, epoch });
      },
      sendFlush: (epoch) => send({ type: 'flush', id, epoch }),
      onTrack: (track) => track && this.#emit({ type: 'track', name: track.source.name }),
      onError: (track, error) => this.#sourceFailed(track.source.name, error),
    });
    this.#pump.volume = context.volume;
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
    this.#first = source;
  }
  #first: AudioSource;

  get state(): StreamState {
    return this.#state;
  }

  /** Name of the source that plays. */
  get playing(): string | undefined {
    return this.#pump.playing?.source.name;
  }

  /** How much of the source was played, in milliseconds. */
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
   * Continues at another position.
   *
   * @throws VirguleError `E_VOICE_SOURCE` if the source can be read only once, such as a stream.
   */
  seek(positionMs: number): void {
    this.#check();
    if (!this.#pump.canSeek() || !(positionMs >= 0))
      throw sourceError(
        'it has no such position',
        'Play a file or a URL, which can be read again.',
      );
    this.#pump.seek(positionMs);
  }

  /**
   * Changes the loudness, with ffmpeg: 0 is silence, 1 the original.
   *
   * @throws VirguleError `E_VOICE_SOURCE` if the source is sent unchanged and cannot be read again.
   */
  setVolume(volume: number): void {
    this.#check();
    checkVolume(volume, this.#pump.playing?.source);
    if (!this.#pump.canSeek())
      throw sourceError('it can be read only once', 'Play a file or a URL.');
    this.#pump.volume = volume;
    this.#pump.seek(this.positionMs);
  }

  /** What happens to the stream from now on, until it has ended. A slow reader loses the oldest events. */
  async *events(): AsyncGenerator<StreamEvent> {
    const events: StreamEvent[] = [];
    let wake = (): void => {};
    const listener = (event: StreamEvent): void => {
      events.push(event);
      if (events.length > MAX_EVENTS) events.shift();
      wake();
    };
    this.#listeners.add(listener);
    try {
      for (;;) {
        const event = events.shift();
        if (event) yield event;
        else if (this.#state === 'closed') return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Ends the stream and closes its ingress. */
  async close(): Promise<void> {
    await this.#close('closed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal Opens the ingress, connects, and resolves when the source has begun. Until then, silence is sent. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const detach = signal && onAbort(signal, () => void this.#close('aborted'));
    void this.finished.then(() => detach?.());
    const hasRead = new Promise<void>((resolve) => (this.#onRead = resolve));
    this.#pump.add(this.#first);
    try {
      await this.#connectFirst();
      await raceAbort(hasRead, this.#closing.signal);
      this.#isStarted = true;
    } catch (error) {
      // The source may have failed meanwhile, which is then the reason.
      const isOwn = !this.#closing.signal.aborted;
      await this.#close(isOwn ? 'lost' : 'closed', error);
      signal?.throwIfAborted();
      throw isOwn ? error : (this.#sourceFailure ?? voiceErrors.E_VOICE_CLOSED({}));
    }
  }

  /** @internal Replaces this stream by another one to the same channel. */
  async replace(): Promise<void> {
    await this.#close('replaced');
  }

  /** @internal Receives what the host reports. */
  receive(reply: HostReply): void {
    if (reply.type === 'connected') {
      this.#onConnected?.(undefined);
    } else if (reply.type === 'lost') {
      if (this.#onConnected) this.#onConnected(reply);
      else void this.#reconnect(reply.reason);
    } else if (reply.type === 'played') {
      this.#stats = reply.stats;
      this.#setState(this.#isPaused ? 'paused' : 'playing');
      this.#pump.played(reply.epoch, reply.count);
    } else if (reply.type === 'drained') {
      if (this.#pump.drained(reply.epoch))
        void this.#close(this.#sourceFailure === undefined ? 'ended' : 'source-error');
    } else {
      this.#onHostClosed?.();
    }
  }

  /** @internal The host has ended by itself: another one continues. */
  hostGone(reason: string): void {
    this.#onHostClosed?.();
    if (this.#closing.signal.aborted) return;
    if (this.#onConnected) this.#onConnected({ type: 'lost', id: this.#context.id, reason });
    else void this.#reconnect(reason);
    this.#pump.resend();
  }

  /**
   * Connects, at most 3 times: a connection that failed at once, such as in its handshake, may succeed. One that was
   * refused, or took all of its time, would not.
   */
  async #connectFirst(): Promise<void> {
    const { clock, channelId, log } = this.#context;
    for (let attempt = 1; ; attempt += 1) {
      const atMs = clock.monotonic();
      try {
        return await this.#connect();
      } catch (error) {
        const isFinal =
          attempt === RECONNECT_ATTEMPTS ||
          !isVirguleError(error, 'E_VOICE_LOST') ||
          clock.monotonic() - atMs > FAILED_AT_ONCE_MS;
        if (isFinal) throw error;
        log.warn({ channelId, reason: errorText(error) }, 'connecting a voice stream again');
      }
    }
  }

  async #connect(): Promise<void> {
    const { id, channelId, host, openIngress } = this.#context;
    const { signal } = this.#closing;
    // The one before is closed first: the platform closes an ingress by its channel.
    await this.#closeIngress();
    signal.throwIfAborted();
    // Not the signal itself: the client would close the ingress with it, before the session has ended.
    const opening = linkSignals(signal);
    const ingress = await openIngress(channelId, opening.signal).finally(() => opening.unlink());
    this.#ingress = ingress;
    signal.throwIfAborted();
    const { url, streamKey } = ingress;
    const connected = new Promise<Extract<HostReply, { type: 'lost' }> | undefined>((resolve) => {
      this.#onConnected = resolve;
    });
    const detach = onAbort(signal, () => this.#onConnected?.(undefined));
    host().send({ type: 'connect', id, channelId, target: { url, streamKey } });
    // The host may be another one, or not have had the stream when packets were sent.
    this.#pump.resend();
    if (this.#isPaused) host().send({ type: 'pause', id, isPaused: true });
    const lost = await connected;
    this.#onConnected = undefined;
    detach();
    signal.throwIfAborted();
    if (!lost) return this.#setState(this.#isPaused ? 'paused' : 'buffering');
    throw (
      restoreError(lost) ??
      voiceErrors.E_VOICE_LOST({ channelId, attempts: 1, reason: lost.reason })
    );
  }

  async #reconnect(firstReason: string): Promise<void> {
    if (this.#state === 'reconnecting' || this.#closing.signal.aborted) return;
    this.#setState('reconnecting');
    const { channelId, clock, log } = this.#context;
    const { signal } = this.#closing;
    let reason = firstReason;
    for (let attempt = 0; attempt < RECONNECT_ATTEMPTS; attempt += 1) {
      log.warn({ channelId, reason }, 'reconnecting a voice stream');
      try {
        if (attempt > 0) await clock.sleep(RECONNECT_PAUSE_MS * 2 ** attempt, { signal });
        return await this.#connect();
      } catch (error) {
        if (signal.aborted) return;
        reason = errorText(error);
      }
    }
    const attempts = RECONNECT_ATTEMPTS;
    const error = voiceErrors.E_VOICE_LOST({
      channelId,
      attempts,
      reason: reason.replace(/\.$/, ''),
    });
    await this.#close('lost', error);
  }

  #sourceFailed(name: string, error: unknown): void {
    const { channelId, log } = this.#context;
    log.warn({ channelId, source: name, error: errorText(error) }, 'an audio source failed');
    this.#sourceFailure = error;
    this.#emit({ type: 'source-error', name, error });
    // Nothing was played, so that the caller of `stream` gets the error.
    if (!this.#isStarted && this.#pump.tracks.length === 1) void this.#close('source-error');
  }

  #close(reason: FinishReason, error: unknown = this.#sourceFailure): Promise<void> {
    return (this.#closed ??= this.#closeNow(reason, error));
  }

  async #closeNow(reason: FinishReason, error: unknown): Promise<void> {
    const { id, channelId, clock, host, log, onClosed } = this.#context;
    // Those that wait, such as `start`, see that it is closing before they continue.
    this.#closing.abort(voiceErrors.E_VOICE_CLOSED({}));
    this.#pump.close();
    const hasClosed = new Promise<void>((resolve) => (this.#onHostClosed = resolve));
    const timeout = clock.setTimeout(() => this.#onHostClosed?.(), HOST_CLOSE_MS);
    host().send({ type: 'close', id });
    await hasClosed;
    timeout.cancel();
    const closing = this.#closeIngress().catch((failure: unknown) => {
      const message =
        'a voice ingress could not be closed, a silent participant may stay in the channel';
      log.error({ channelId, error: errorText(failure) }, message);
    });
    await settlesWithin(closing, INGRESS_CLOSE_MS, clock);
    this.#setState('closed');
    onClosed();
    const hasError = reason === 'lost' || reason === 'source-error';
    const { underruns } = this.#stats;
    this.#finish({
      reason,
      playedMs: this.#pump.totalPlayedMs,
      underruns,
      ...(hasError && { error }),
    });
  }

  async #closeIngress(): Promise<void> {
    const ingress = this.#ingress;
    this.#ingress = undefined;
    await ingress?.close();
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
    if (this.#closing.signal.aborted) throw voiceErrors.E_VOICE_CLOSED({});
  }

  #setState(state: StreamState): void {
    if (this.#state === state || this.#state === 'closed') return;
    this.#state = state;
    this.#emit({ type: 'state', state });
  }

  #emit(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** @throws VirguleError `E_VOICE_SOURCE` for a volume that cannot be applied. */
export function checkVolume(volume: number, source: AudioSource | undefined): void {
  if (!(volume >= 0 && volume <= 10))
    throw sourceError(`the volume ${volume} is out of range`, 'Choose one from 0 to 10.');
  if (volume !== 1 && source?.hasVolume === false)
    throw sourceError(`the volume of ${source.name} is fixed`, 'Play a file or a URL, or omit it.');
}

/** Returns the error of another process, whose texts follow from its details. */
function restoreError({ error }: Extract<HostReply, { type: 'lost' }>): Error | undefined {
  if (!error || !(error.code in voiceErrors)) return undefined;
  // The details were those of the same table.
  const restored = Reflect.apply(voiceErrors[error.code as keyof typeof voiceErrors], undefined, [
    error.details,
  ]) as unknown;
  return isVirguleError(restored) ? restored : undefined;
}
