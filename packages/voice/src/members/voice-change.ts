import type { VoiceStateEvent } from '@virgule/core/protocol';

/** What a VOICE_STATE_UPDATE means for its user. */
export interface VoiceChange {
  readonly type: 'join' | 'leave' | 'move';
  readonly userId: string;
  /** The channel before; `null` if there was none, `undefined` if that is not known, such as right after a start. */
  readonly from: string | null | undefined;
  /** The channel now; `null` after `leave`. */
  readonly to: string | null;
}

/**
 * Returns whether a user joined, left or moved, from the `data` of an event. Needs the setting `voice`, which follows who
 * was where; without it, `from` is not known, and a move looks like a join.
 *
 * @example
 * ```ts
 * export default defineEvent('VOICE_STATE_UPDATE', ({ data, log }) => {
 *   const { type, userId, to } = voiceChange(data);
 *   log.info({ type, userId, to }, 'voice');
 * });
 * ```
 */
export function voiceChange(data: VoiceStateEvent): VoiceChange {
  const { userId, channelId: to } = data;
  // Added by `follow`.
  const { previousChannelId: from } = data as { readonly previousChannelId?: string | null };
  const isMove = typeof from === 'string' && from !== to;
  return { type: to === null ? 'leave' : isMove ? 'move' : 'join', userId, from, to };
}
