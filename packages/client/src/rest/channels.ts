import type { CallOptions } from './rest-options.js';

/** Calls about channels. */
export interface ChannelCalls {
  /** Shows "is typing" for a few seconds; call again during long work (Bot Interface, Endpoints #11). */
  typing(channelId: string, options?: CallOptions): Promise<void>;
}
