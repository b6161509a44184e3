import type { ReactionEmoji } from '@virgule/core/protocol';
import type { World } from './world.js';

export interface FoundEmoji {
  readonly emoji: ReactionEmoji;
  readonly name: string;
  /** Path of the image of a custom emoji; null for a unicode emoji. */
  readonly imageUrl: string | null;
}

/** The emojis of the picker with their names, the most common first. */
const UNICODE =
  '👍 Thumbs up,❤️ Heart,😂 Laughing,🎉 Party popper,🚀 Rocket,👀 Eyes,✅ Done,❌ No,😮 Surprised,😢 Sad,🔥 Fire,🙏 Thanks,👎 Thumbs down,😄 Smile,😉 Wink,😍 Love,🤔 Thinking,😎 Cool,😡 Angry,😴 Sleeping,🤖 Robot,💡 Idea,⭐ Star,💯 Hundred,👏 Clap,👋 Wave,🤝 Handshake,💪 Strong,👉 Point right,👆 Point up,⏳ Hourglass,⏰ Alarm clock,🔔 Bell,📌 Pin,📎 Clip,🔒 Lock,🔑 Key,🐛 Bug,🔧 Wrench,📦 Package,💬 Speech,❓ Question,❗ Important,⚠️ Warning,➕ Plus,➖ Minus,1️⃣ One,2️⃣ Two,3️⃣ Three,4️⃣ Four,🎵 Music,🎲 Dice,☕ Coffee,🍕 Pizza,🎂 Cake,🌻 Sunflower,🐱 Cat,🐶 Dog,☀️ Sun,🌍 World'
    .split(',')
    .map((entry) => {
      const space = entry.indexOf(' ');
      return [entry.slice(0, space), entry.slice(space + 1)] as const;
    });

/** A single emoji in its pasted form: a pictograph with its modifiers and joined parts, a keycap or a flag. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F\u200D\p{Extended_Pictographic}]*|[\d#*]\uFE0F?\u20E3|\p{Regional_Indicator}{2})$/u;

/** Returns the emojis whose name has the query, first at its start; a query that is an emoji returns this emoji. */
export function findEmojis(
  query: string,
  world: Pick<World, 'emojis' | 'servers' | 'profile'>,
  serverId: string,
): readonly FoundEmoji[] {
  const unicode = (unicodeEmoji: string, name: string): FoundEmoji => ({
    emoji: { kind: world.profile?.unicodeEmojiKind ?? 'unicode', unicodeEmoji },
    name,
    imageUrl: null,
  });
  const all = UNICODE.map(([emoji, name]) => unicode(emoji, name));
  const hasBot = (of: string) => world.servers.some(({ id, botIds }) => id === of && botIds[0]);
  const usable = [
    ...world.emojis.filter((emoji) => emoji.serverId === serverId),
    ...world.emojis.filter((emoji) => emoji.serverId !== serverId && hasBot(emoji.serverId)),
  ];
  // Custom emojis come before the less common unicode emojis, which fill many rows.
  const custom = usable.map(({ id, name, imageUrl }) => {
    const emoji = { kind: 'custom', customEmojiId: id, customEmojiName: name };
    return { emoji, name: `:${name}:`, imageUrl };
  });
  all.splice(12, 0, ...custom);
  const given = query.trim();
  if (EMOJI.test(given))
    return [all.find(({ emoji }) => emoji.unicodeEmoji === given) ?? unicode(given, given)];
  const wanted = given.toLowerCase().replaceAll(':', '');
  const indexOf = ({ name }: FoundEmoji) => name.toLowerCase().replaceAll(':', '').indexOf(wanted);
  return [
    ...all.filter((emoji) => indexOf(emoji) === 0),
    ...all.filter((emoji) => indexOf(emoji) > 0),
  ];
}

/** Returns the id of a custom emoji, or the unicode emoji. */
export const emojiKey = ({ customEmojiId, unicodeEmoji }: ReactionEmoji): string =>
  customEmojiId ?? unicodeEmoji ?? '';

/** Returns the text of a reaction: the unicode emoji, or the name of a custom emoji between colons. */
export const emojiText = (emoji: ReactionEmoji): string =>
  emoji.unicodeEmoji ?? `:${emoji.customEmojiName ?? emoji.kind}:`;
