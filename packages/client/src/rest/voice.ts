import { onAbort } from '@virgule/core/abort';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { VoiceIngress, VoiceJoin, VoiceState } from '@virgule/core/protocol';
import { isAborted, isBadResponse, isNotFound, isOutcomeUnknown } from '../errors/error-guards.js';
import type { Api } from './api.js';
import type { CallOptions } from '../request/call.js';

/** Calls about voice channels. */
export interface VoiceCalls {
  /** Enters a voice channel; the answer's `token` and `url` lead to the media server and are secret (Bot Interface, Endpoints #22). */
  join(channelId: string, options?: CallOptions): Promise<VoiceJoin>;
  /** Leaves a voice channel (#23). */
  leave(channelId: string, options?: CallOptions): Promise<void>;
  /**
   * Opens a WHIP ingress to publish stereo Opus to (#21). An open ingress without audio is a silent participant. The
   * ingress is closed (#20) by `close()`, at the end of an `await using` block, at any abort of `options.signal`, and when
   * the client closes. Its `streamKey` is secret.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been opened; it is then closed, in case.
   *
   * @example
   * ```ts
   * await using ingress = await rest.voice.openIngress(channelId, { signal });
   * await publish(ingress.url, ingress.streamKey);
   * ```
   */
  openIngress(channelId: string, options?: CallOptions): Promise<OpenIngress>;
  /** Closes the ingress of a channel, also an ingress of another client (#20). */
  closeIngress(channelId: string, options?: CallOptions): Promise<void>;
  /** Returns the participants of the voice channels of a server; `undefined` for an unknown shape (not shown) (#24). */
  state(serverId: string, options?: CallOptions): Promise<VoiceState | undefined>;
}

/** A WHIP ingress that is open, until it is closed. */
export interface OpenIngress extends VoiceIngress {
  /** Closes the ingress (Bot Interface, Endpoints #20); 404 counts as closed. Further calls have no effect. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Time limit to close an ingress, in milliseconds. An open ingress without audio is a silent participant. */
const CLOSE_MS = 5_000;
/** Time that a closing client waits for its ingresses to close, in milliseconds. */
const CLOSE_ALL_MS = 2_000;

/** An ingress from the moment that it is being opened. */
interface Held {
  readonly channelId: string;
  closing?: Promise<void> | undefined;
  leaveSignal?: () => void;
}

/** The ingresses that this client opened, or perhaps opened, and has to close. The queue keeps the calls of a channel in order. */
export function createIngresses(api: Api, log: Log, clock: Clock) {
  const giveUp = new AbortController();
  const held = new Set<Held>();

  function release(ingress: Held): void {
    ingress.leaveSignal?.();
    held.delete(ingress);
  }

  async function closeNow(ingress: Held): Promise<void> {
    const input = { parameters: { channelId: ingress.channelId } };
    const options = { deadlineMs: CLOSE_MS, signal: giveUp.signal };
    await api.call('voice.closeIngress', input, options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    release(ingress);
  }

  async function close(ingress: Held): Promise<void> {
    // A failed close can be tried again.
    if (held.has(ingress))
      ingress.closing ??= closeNow(ingress).finally(() => (ingress.closing = undefined));
    await ingress.closing;
  }

  /** Closes without a caller that could handle an error. */
  async function closeQuietly(ingress: Held): Promise<void> {
    const message =
      'a voice ingress could not be closed, a silent participant may stay in the channel';
    await close(ingress).catch((error: unknown) =>
      log.error({ channelId: ingress.channelId, error: errorText(error) }, message),
    );
  }

  const calls: Pick<VoiceCalls, 'openIngress' | 'closeIngress'> = {
    async openIngress(channelId, options) {
      const opened: Held = { channelId };
      held.add(opened);
      let ingress: VoiceIngress;
      try {
        ingress = await api.call('voice.openIngress', { parameters: { channelId } }, options);
      } catch (error) {
        // A success that cannot be read (E_BAD_RESPONSE) opened one as well.
        const mayBeOpen =
          isOutcomeUnknown(error) ||
          (isBadResponse(error) && error.details.status < 300) ||
          (isAborted(error) && error.details.maybeSent);
        const isHeld = [...held].some((each) => each !== opened && each.channelId === channelId);
        // Nothing else would close it. The caller need not wait for that; `closeAll` does.
        if (mayBeOpen && !isHeld) void closeQuietly(opened);
        else release(opened);
        throw error;
      }
      const signal = options?.signal;
      if (signal) opened.leaveSignal = onAbort(signal, () => void closeQuietly(opened));
      const method = { value: () => close(opened), enumerable: false };
      // Not enumerable: it is logged, compared and cloned as what the platform answered.
      return Object.defineProperties(ingress, {
        close: method,
        [Symbol.asyncDispose]: method,
        // Both methods were added just now.
      }) as OpenIngress;
    },
    async closeIngress(channelId, options) {
      const closed = [...held].filter((each) => each.channelId === channelId);
      await api.call<void>('voice.closeIngress', { parameters: { channelId } }, options);
      for (const each of closed) release(each);
    },
  };
  return {
    calls,
    async closeAll(): Promise<void> {
      const closed = Promise.all([...held].map((each) => closeQuietly(each)));
      if (await settlesWithin(closed, CLOSE_ALL_MS, clock)) return;
      giveUp.abort(new Error(`not closed within ${CLOSE_ALL_MS / 1_000} s`));
      await closed;
    },
  };
}
