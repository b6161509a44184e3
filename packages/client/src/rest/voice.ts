import type { VoiceIngress, VoiceJoin, VoiceState } from '@virgule/core/protocol';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/** Calls about voice channels. */
export interface VoiceCalls {
  /** Enters a voice channel; the answer's `token` and `url` lead to the media server and are secret (Bot Interface, Endpoints #22). */
  join(channelId: string, options?: CallOptions): Promise<VoiceJoin>;
  /** Leaves a voice channel (#23). */
  leave(channelId: string, options?: CallOptions): Promise<void>;
  /**
   * Opens a WHIP ingress to publish stereo Opus to (#21). Close it when the stream ends: one left
   * open leaves a silent participant behind. Its `streamKey` is secret.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been opened.
   */
  openIngress(channelId: string, options?: CallOptions): Promise<VoiceIngress>;
  /** Closes the ingress of a channel (#20). */
  closeIngress(channelId: string, options?: CallOptions): Promise<void>;
  /** Who is in the voice channels of a server; `undefined` when the answer has another shape (not shown) (#24). */
  state(serverId: string, options?: CallOptions): Promise<VoiceState | undefined>;
}

export function createVoiceCalls(call: ApiCall): VoiceCalls {
  return {
    join: (channelId, options) => call('voice.join', { parameters: { channelId } }, options),
    leave: (channelId, options) => call('voice.leave', { parameters: { channelId } }, options),
    openIngress: (channelId, options) =>
      call('voice.openIngress', { parameters: { channelId } }, options),
    closeIngress: (channelId, options) =>
      call('voice.closeIngress', { parameters: { channelId } }, options),
    state: (serverId, options) => call('voice.state', { parameters: { serverId } }, options),
  };
}
