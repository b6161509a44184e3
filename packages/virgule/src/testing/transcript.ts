import type { SimEvent, SimMessage } from '@virgule/core/simulator-api';
import type { Simulator } from '@virgule/simulator';

const MAX_LINES = 200;
const SHOWN_LINES = 20;

/** Records the events of a platform, as people read them in a chat. */
export function createTranscript(platform: Simulator) {
  /** `edited` is the id of the message whose edit a line shows. */
  const lines: { readonly channelId: string; readonly text: string; readonly edited?: string }[] =
    [];
  const seen = new Map<string, SimMessage>();
  for (const { id } of platform.snapshot().channels)
    for (const message of platform.messages(id)) seen.set(message.id, message);
  const states = new Map<string, string>();
  const names = new Map(platform.snapshot().users.map(({ id, username }) => [id, username]));
  const nameOf = (id: string): string => names.get(id) ?? 'someone';
  const { botUserId } = platform.snapshot().bot;
  /** Lines about the bot since the last `take`, by the id of their message or interaction. */
  const news = new Map<string, string>();
  /** Ids of the messages that are new since the last `take`. */
  const created = new Set<string>();

  function add(channelId: string, text: string, edited?: string): void {
    // The next edit of a streamed answer contains the text of the last one.
    if (edited && lines.at(-1)?.edited === edited) lines.pop();
    lines.push({ channelId, text, ...(edited && { edited }) });
    if (lines.length > MAX_LINES) lines.shift();
  }

  function message(now: SimMessage): void {
    const { id, channelId, authorId, content, attachments, isDeleted } = now;
    const before = seen.get(id);
    seen.set(id, now);
    if (!before) created.add(id);
    const author = nameOf(authorId);
    const files = attachments.map(({ fileName }) => ` [${fileName}]`).join('');
    const written = (isNew: boolean) =>
      isDeleted
        ? `(${author} deleted "${before?.content}")`
        : `${author}${isNew ? '' : ', edited'}: ${content}${files}`;
    if (content !== before?.content || isDeleted !== before.isDeleted) {
      add(channelId, written(!before), before && id);
      if (authorId === botUserId) news.set(id, written(created.has(id)));
    } else
      for (const { emoji, userIds } of now.reactions) {
        const key = emoji.unicodeEmoji ?? emoji.customEmojiId;
        const earlier = before.reactions.find(
          (each) => (each.emoji.unicodeEmoji ?? each.emoji.customEmojiId) === key,
        );
        for (const user of userIds)
          if (!earlier?.userIds.includes(user))
            add(channelId, `(${nameOf(user)} reacted with ${key})`);
      }
  }

  const stop = platform.on((event: SimEvent) => {
    if (event.type === 'message') message(event.message);
    if (event.type !== 'interaction') return;
    const { id, channelId, userId, rawInput, state } = event.interaction;
    if (states.get(id) === state) return;
    states.set(id, state);
    const bot = nameOf(botUserId);
    const expired = `(${rawInput} expired without an answer)`;
    if (state === 'waiting') add(channelId, `${nameOf(userId)} used ${rawInput}`);
    else if (state === 'deferred') add(channelId, `(${bot} is thinking)`);
    else if (state === 'acknowledged') add(channelId, `(${bot} chose not to answer)`);
    else if (state === 'expired') {
      add(channelId, expired);
      news.set(id, expired);
    }
  });

  return {
    of(channelId: string): string {
      const own = lines.filter((line) => line.channelId === channelId);
      const { channels } = platform.snapshot();
      const name = channels.find(({ id }) => id === channelId)?.name ?? channelId;
      const shown = own.slice(-SHOWN_LINES).map(({ text }) => indented(text));
      return [`#${name}`, ...(shown.length > 0 ? shown : ['  (nothing was said)'])].join('\n');
    },
    stop,
    /** Returns the messages of the bot in all channels since the last call, in their latest state, and its expired commands. */
    take(): string {
      const taken = Array.from(news.values(), (text) => `${indented(text)}\n`);
      news.clear();
      created.clear();
      return taken.join('');
    },
  };
}

const indented = (text: string): string => `  ${text.replaceAll('\n', '\n    ')}`;

export type Transcript = ReturnType<typeof createTranscript>;
