import type { ReactionEmoji } from '@virgule/core/protocol';

/** Requests the colored form; platforms keep or drop it. */
const VARIATION = /\ufe0f/g;

/** Returns whether a reaction is this unicode emoji, whatever its `kind` is. */
export function isEmoji({ unicodeEmoji }: ReactionEmoji, emoji: string): boolean {
  return unicodeEmoji?.replace(VARIATION, '') === emoji.replace(VARIATION, '');
}
