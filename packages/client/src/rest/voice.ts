import type { VoiceJoin, VoiceState } from '@virgule/core/protocol';
import type { OpenIngress } from './ingresses.js';
import type { CallOptions } from './rest-options.js';

/** Calls about voice channels. */
export interface VoiceCalls {
  /** Enters a voice channel; the answer's `token` and `url` lead to the media server and are secret (Bot Interface, Endpoints #22). */
  join(channelId: string, options?: CallOptions): Promise<VoiceJoin>;
  /** Leaves a voice channel (#23). */
  leave(channelId: string, options?: CallOptions): Promise<void>;
  /**
   * Opens a WHIP ingress to publish stereo Opus to (#21). One that is left open leaves a silent
   * participant behind: it is closed (#20) by `close()`, at the end of an `await using` block, when
   * `options.signal` is aborted, also later, and when the client closes. Its `streamKey` is secret.
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
  /** Closes the ingress of a channel, also one that another client opened (#20). */
  closeIngress(channelId: string, options?: CallOptions): Promise<void>;
  /** Who is in the voice channels of a server; `undefined` when the answer has another shape (not shown) (#24). */
  state(serverId: string, options?: CallOptions): Promise<VoiceState | undefined>;
}
