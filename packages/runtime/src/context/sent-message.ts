import type { Emoji, Rest } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { carriesFiles, toParts, type EditInput } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';

/** A message the bot wrote. Every member can be destructured. */
export interface SentMessage {
  /** Replaces the text. An edit carries no files. */
  readonly edit: (input: EditInput) => Promise<void>;
  /** Adds a reaction: a unicode emoji as text, or a custom one by id. Endpoint 16. */
  readonly react: (emoji: string | { readonly customEmojiId: string }) => Promise<void>;
  /** Takes the bot's own reaction back. Endpoint 15. */
  readonly unreact: (emoji: string | { readonly customEmojiId: string }) => Promise<void>;
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
  /** The command that wrote it, for errors. */
  readonly commandName?: string | undefined;
}

export function createSentMessage({
  rest,
  channelId,
  content,
  known,
  edit,
  currentContent,
  commandName,
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
      const parts = toParts(input);
      if (carriesFiles(parts)) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName });
      const text = parts.content;
      const edited = edit
        ? await edit(text)
        : await rest.messages.edit(channelId, (await find()).id, { content: text });
      lastContent = text;
      if (edited) message = edited;
      else if (message) message = { ...message, content: text };
    },
    async react(emoji) {
      const { id } = await find();
      await rest.reactions.add(channelId, id, toEmoji(emoji));
    },
    async unreact(emoji) {
      const { id } = await find();
      await rest.reactions.remove(channelId, id, toEmoji(emoji));
    },
    async delete() {
      await rest.messages.delete(channelId, (await find()).id);
    },
    message: find,
  };
}

const toEmoji = (emoji: string | { readonly customEmojiId: string }): Emoji =>
  typeof emoji === 'string' ? { unicodeEmoji: emoji } : emoji;
