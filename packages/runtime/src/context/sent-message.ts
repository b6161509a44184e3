import type { Rest } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import type { EditInput } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** A message the bot wrote. Every member can be destructured. */
export interface SentMessage {
  /** Replaces the text. An edit carries no files. */
  readonly edit: (input: EditInput) => Promise<void>;
  /** Adds a reaction: a unicode emoji as text, or a custom one by id. Endpoint 16. */
  readonly react: (emoji: string | { readonly customEmojiId: string }) => Promise<void>;
  /** Deletes the message. Endpoint 7. */
  readonly delete: () => Promise<void>;
  /**
   * The message itself. What the platform answers to a write is not shown, so it is taken from the
   * answer when it is there and else looked up among the newest messages of the channel.
   *
   * @throws VirguleError `E_MESSAGE_NOT_FOUND` when it is in neither.
   */
  readonly message: () => Promise<Message>;
}

export interface SentMessageInit {
  readonly rest: Rest;
  readonly channelId: string;
  /** The text as sent, to find the message by. */
  readonly content: string | null;
  /** What the platform answered to the write, when it was the message. */
  readonly known: Message | undefined;
  /** How to edit when it is not an ordinary message: an interaction's answer is edited by endpoint 30. */
  readonly edit?: (content: string) => Promise<Message | undefined>;
  /** Its text as it stands, when others may edit it too. */
  readonly currentContent?: () => string | undefined;
}

export function createSentMessage({
  rest,
  channelId,
  content,
  known,
  edit,
  currentContent,
}: SentMessageInit): SentMessage {
  let message = known;
  let lastContent = content;

  async function find(): Promise<Message> {
    if (message) return message;
    const { botUserId } = await rest.users.me();
    const page = await rest.messages.list(channelId);
    const text = currentContent?.() ?? lastContent;
    message = page.messages.find(
      (candidate) => candidate.authorId === botUserId && candidate.content === text,
    );
    if (!message) throw runtimeErrors.E_MESSAGE_NOT_FOUND({ channelId });
    return message;
  }

  return {
    async edit(input) {
      const text = typeof input === 'string' ? input : input.content;
      const edited = edit
        ? await edit(text)
        : await rest.messages.edit(channelId, (await find()).id, { content: text });
      lastContent = text;
      if (edited) message = edited;
      else if (message) message = { ...message, content: text };
    },
    async react(emoji) {
      const { id } = await find();
      await rest.reactions.add(
        channelId,
        id,
        typeof emoji === 'string' ? { unicodeEmoji: emoji } : emoji,
      );
    },
    async delete() {
      await rest.messages.delete(channelId, (await find()).id);
    },
    message: find,
  };
}
