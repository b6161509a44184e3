import type { Simulator } from '@virgule/simulator';

/**
 * Returns the message that a user would react to: the newest of the given ones, else of the channel, preferably one where the
 * bot offers the emoji.
 */
export function reactedTo(
  platform: Simulator,
  channel: string | undefined,
  emoji: string,
  ids: readonly string[],
): string {
  const { botUserId } = platform.snapshot().bot;
  const isOffered = (id: string): boolean =>
    platform
      .message(id)
      ?.reactions.some(
        (each) => each.emoji.unicodeEmoji === emoji && each.userIds.includes(botUserId),
      ) === true;
  const shown = platform.messages(channel).filter(({ isDeleted }) => !isDeleted);
  const all = ids.length > 0 ? ids : shown.map(({ id }) => id);
  return all.findLast(isOffered) ?? all.at(-1) ?? '';
}
