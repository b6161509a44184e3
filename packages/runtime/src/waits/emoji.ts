import type { ReactionEmoji } from '@virgule/core/protocol';

/** Asks for the form in colour; platforms keep or drop it. */
const VARIATION = /\ufe0f/g;

/** Whether a reaction is this unicode emoji, whatever `kind` the platform calls it. */
export function isEmoji({ unicodeEmoji }: ReactionEmoji, emoji: string): boolean {
  return unicodeEmoji?.replace(VARIATION, '') === emoji.replace(VARIATION, '');
}
