import type { OpenIngress } from '@virgule/client/rest';
import { linkSignals, onAbort } from '@virgule/core/abort';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { voiceErrors } from '../errors/voice-errors.js';
import type { Host, HostReply } from '../host/message.js';

type Lost = Omit<Extract<HostReply, { type: 'lost' }>, 'id' | 'type'>;

/** Pauses before the attempts to reconnect, in milliseconds: a media server restarts within some seconds. */
const RECONNECT_PAUSES_MS = [0, 2_000, 8_000];
const FIRST_ATTEMPTS = 3;
/** Duration in milliseconds up to which a failed connection has another cause than the network. */
const FAILED_AT_ONCE_MS = 5_000;
/** Time for the host to end the session, in milliseconds, before the ingress is closed anyway. */
const HOST_CLOSE_MS = 1_000;
/**
 * Time that the end of a stream waits for its ingress to close, in milliseconds. After this time, closing continues in the
 * background: a platform that does not answer must not hold the bot.
 */
const INGRESS_CLOSE_MS = 1_000;

/** An ingress, as the REST client returns it. */
export type StreamIngress = Pick<OpenIngress, 'url' | 'streamKey' | 'close'>;

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

export interface ConnectionOptions {
  readonly context: StreamContext;
  readonly closing: AbortSignal;
  /** The host may be another one: it needs everything that was not played. */
  readonly onConnecting: () => void;
  readonly onConnected: () => void;
  readonly onReconnecting: () => void;
  readonly onLost: (error: Error) => void;
}

/** Connection of a stream to its channel: an ingress, and the session of the host with this ingress. */
export class Connection {
  readonly #options: ConnectionOptions;
  #ingress: StreamIngress | undefined;
  #host: Host | undefined;
  /** Time of the connection, by `Clock.monotonic()`; `undefined` while not connected. */
  #sinceMs: number | undefined;
  /** Attempts to connect again since the last connection that lasted. */
  #attempts = 0;
  #onReply: ((lost: Lost | undefined) => void) | undefined;
  #onHostClosed: (() => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Connects, with up to 3 attempts after immediate failures, such as in the handshake. A refused connection, or a timeout,
   * is not tried again.
   */
  async open(): Promise<void> {
    const { clock, channelId, log } = this.#options.context;
    for (let attempt = 1; ; attempt += 1) {
      const atMs = clock.monotonic();
      try {
        return await this.#connect(attempt);
      } catch (error) {
        const isFinal =
          attempt === FIRST_ATTEMPTS ||
          !isVirguleError(error, 'E_VOICE_LOST') ||
          clock.monotonic() - atMs > FAILED_AT_ONCE_MS;
        if (isFinal) throw error;
        log.warn({ channelId, reason: reasonOf(error) }, 'connecting a voice stream again');
      }
    }
  }

  receive(reply: Extract<HostReply, { type: 'connected' | 'lost' | 'closed' }>): void {
    if (reply.type === 'closed') this.#onHostClosed?.();
    else if (reply.type === 'connected') this.#onReply?.(undefined);
    else this.#lose(reply);
  }

  /** The host has ended by itself. */
  hostGone(reason: string): void {
    this.#host = undefined;
    this.#onHostClosed?.();
    this.#lose({ reason });
  }

  /** Ends the session, then closes the ingress. */
  async close(): Promise<void> {
    const { channelId, clock, log } = this.#options.context;
    await this.#endSession();
    const closing = this.#closeIngress().catch((failure: unknown) => {
      const message =
        'a voice ingress could not be closed, a silent participant may stay in the channel';
      log.error({ channelId, error: errorText(failure) }, message);
    });
    await settlesWithin(closing, INGRESS_CLOSE_MS, clock);
  }

  async #endSession(): Promise<void> {
    const { id, clock } = this.#options.context;
    if (!this.#host) return;
    const hasClosed = new Promise<void>((resolve) => (this.#onHostClosed = resolve));
    this.#host.send({ type: 'close', id });
    await settlesWithin(hasClosed, HOST_CLOSE_MS, clock);
  }

  #lose(lost: Lost): void {
    if (this.#onReply) this.#onReply(lost);
    // Otherwise an ingress is being opened, for the host that then runs.
    else if (this.#sinceMs !== undefined) void this.#reconnect(this.#sinceMs, lost.reason);
  }

  async #connect(attempt: number): Promise<void> {
    const { context, closing, onConnecting, onConnected } = this.#options;
    const { id, channelId, clock, host, openIngress } = context;
    // The one before is closed first: the platform closes an ingress by its channel.
    await this.#closeIngress();
    closing.throwIfAborted();
    // Not the signal itself: the client would close the ingress with it, before the session has ended.
    const opening = linkSignals(closing);
    const ingress = await openIngress(channelId, opening.signal).finally(() => opening.unlink());
    this.#ingress = ingress;
    // The stream may have ended before it was opened.
    if (closing.aborted) await this.#closeIngress();
    closing.throwIfAborted();
    const { url, streamKey } = ingress;
    const replied = new Promise<Lost | undefined>((resolve) => (this.#onReply = resolve));
    const detach = onAbort(closing, () => this.#onReply?.(undefined));
    this.#host = host();
    this.#host.send({ type: 'connect', id, channelId, target: { url, streamKey } });
    onConnecting();
    const lost = await replied;
    this.#onReply = undefined;
    detach();
    closing.throwIfAborted();
    if (lost)
      throw (
        restoreError(lost) ??
        voiceErrors.E_VOICE_LOST({ channelId, attempts: attempt, reason: lost.reason })
      );
    this.#sinceMs = clock.monotonic();
    onConnected();
  }

  async #reconnect(sinceMs: number, firstReason: string): Promise<void> {
    const { context, closing, onReconnecting, onLost } = this.#options;
    const { channelId, clock, log } = context;
    this.#sinceMs = undefined;
    if (closing.aborted) return;
    // A connection that always breaks soon must not open ingresses endlessly.
    if (clock.monotonic() - sinceMs > FAILED_AT_ONCE_MS) this.#attempts = 0;
    onReconnecting();
    let reason = firstReason;
    for (const pauseMs of RECONNECT_PAUSES_MS.slice(this.#attempts)) {
      this.#attempts += 1;
      log.warn({ channelId, reason }, 'reconnecting a voice stream');
      try {
        if (pauseMs > 0) await clock.sleep(pauseMs, { signal: closing });
        return await this.#connect(this.#attempts);
      } catch (error) {
        if (closing.aborted) return;
        reason = reasonOf(error);
      }
    }
    onLost(voiceErrors.E_VOICE_LOST({ channelId, attempts: this.#attempts, reason }));
  }

  async #closeIngress(): Promise<void> {
    const ingress = this.#ingress;
    this.#ingress = undefined;
    await ingress?.close();
  }
}

/** Returns why a connection failed, without the sentence around it. */
function reasonOf(error: unknown): string {
  const reason = isVirguleError(error, 'E_VOICE_LOST') && error.details?.['reason'];
  return typeof reason === 'string' ? reason : errorText(error).replace(/\.$/, '');
}

/** Returns the error of another process, whose texts follow from its details. */
function restoreError({ error }: Lost): Error | undefined {
  if (!error || !(error.code in voiceErrors)) return undefined;
  // The details come from the same table of errors.
  const restored = Reflect.apply(voiceErrors[error.code as keyof typeof voiceErrors], undefined, [
    error.details,
  ]) as unknown;
  return isVirguleError(restored) ? restored : undefined;
}
