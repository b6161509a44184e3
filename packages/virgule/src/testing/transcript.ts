import type { SimEvent, SimMessage } from '@virgule/core/simulator-api';
import type { Simulator } from '@virgule/simulator';

const MAX_LINES = 200;
const SHOWN_LINES = 20;

/** Records the events of a platform, as people read them in a chat. */
export function createTranscript(platform: Simulator) {
  const lines: { readonly channelId: string; readonly text: string }[] = [];
  const seen = new Map<string, SimMessage>();
  for (const { id } of platform.snapshot().channels)
    for (const message of platform.messages(id)) seen.set(message.id, message);
  const states = new Map<string, string>();
  const names = new Map(platform.snapshot().users.map(({ id, username }) => [id, username]));
  const nameOf = (id: string): string => names.get(id) ?? 'someone';

  function add(channelId: string, text: string): void {
    lines.push({ channelId, text });
    if (lines.length > MAX_LINES) lines.shift();
  }

  function message(now: SimMessage): void {
    const before = seen.get(now.id);
    seen.set(now.id, now);
    const author = nameOf(now.authorId);
    const say = (text: string): void => add(now.channelId, text);
    if (!before) {
      const files = now.attachments.map(({ fileName }) => ` [${fileName}]`).join('');
      say(`${author}: ${now.content}${files}`);
    } else if (now.isDeleted) {
      if (!before.isDeleted) say(`(${author} deleted "${before.content}")`);
    } else if (now.content !== before.content) {
      say(`${author}, edited: ${now.content}`);
    } else {
      for (const { emoji, userIds } of now.reactions) {
        const key = emoji.unicodeEmoji ?? emoji.customEmojiId;
        const earlier = before.reactions.find(
          (each) => (each.emoji.unicodeEmoji ?? each.emoji.customEmojiId) === key,
        );
        for (const id of userIds)
          if (!earlier?.userIds.includes(id)) say(`(${nameOf(id)} reacted with ${key})`);
      }
    }
  }

  const botName = (): string => nameOf(platform.snapshot().bot.botUserId);
  platform.on((event: SimEvent) => {
    if (event.type === 'message') message(event.message);
    if (event.type !== 'interaction') return;
    const { id, channelId, userId, rawInput, state } = event.interaction;
    if (states.get(id) === state) return;
    states.set(id, state);
    if (state === 'waiting') add(channelId, `${nameOf(userId)} used ${rawInput}`);
    else if (state === 'deferred') add(channelId, `(${botName()} is thinking)`);
    else if (state === 'acknowledged') add(channelId, `(${botName()} chose not to answer)`);
    else if (state === 'expired') add(channelId, `(${rawInput} expired without an answer)`);
  });

  return {
    of(channelId: string): string {
      const own = lines.filter((line) => line.channelId === channelId);
      const { channels } = platform.snapshot();
      const name = channels.find(({ id }) => id === channelId)?.name ?? channelId;
      const shown = own
        .slice(-SHOWN_LINES)
        .map(({ text }) => `  ${text.replaceAll('\n', '\n    ')}`);
      return [`#${name}`, ...(shown.length > 0 ? shown : ['  (nothing was said)'])].join('\n');
    },
  };
}

export type Transcript = ReturnType<typeof createTranscript>;
