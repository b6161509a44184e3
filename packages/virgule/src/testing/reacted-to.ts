import type { Simulator } from '@virgule/simulator';

/**
 * Returns the message that a user would react to: the newest of the given ones, preferably one where the bot offers the
 * emoji, else the newest of the channel.
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
  const newest = platform.messages(channel).findLast(({ isDeleted }) => !isDeleted);
  return ids.findLast(isOffered) ?? ids.at(-1) ?? newest?.id ?? '';
}
