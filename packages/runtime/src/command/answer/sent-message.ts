import type { Emoji, Rest, SentAnswer } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { editedText, type MessageParts, type SentMessage } from './answer.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { isSameId } from '../../options/references.js';

export interface SentMessageInit {
  readonly rest: Rest;
  readonly channelId: string;
  readonly content: string;
  readonly known: Message | undefined;
  /** Edits the message if it is the answer of an interaction: endpoint 30. @defaultValue the edit of an ordinary message */
  readonly edit?: (content: string) => Promise<Message | undefined | void>;
  /** Finds the message. @defaultValue searches for the text in the channel */
  readonly find?: () => Promise<Message | undefined>;
  /** Returns the current text of the message. Present if other code can edit the message too. */
  readonly currentContent?: () => string | undefined;
  /** Owner of the note of the message for the next start: the interaction whose answer it is, or the run that sent it. */
  readonly noted?: { remember?(shows: 'answer'): void; finish?(): Promise<void> } | undefined;
}

export interface WriteOptions {
  /** Ends the write, which is tried only once: the caller repeats it, with a newer message each time. */
  readonly signal?: AbortSignal;
  /** `true` if another state will follow this message. @defaultValue `false` */
  readonly isState?: boolean;
}

export interface Written {
  /** Response of the platform. It is parsed only when its message is used. */
  readonly answer: SentAnswer;
  /** `true` if the text is the answer of the command; `false` for a follow-up. */
  readonly isAnswer: boolean;
  readonly content: string;
  /** Edits and finds the message, if it is not in the channel. */
  readonly held?: Pick<SentMessageInit, 'edit' | 'find'> | undefined;
}

/** A written message, with the files that still have to follow. */
export interface Attempted extends Omit<Written, 'content'> {
  readonly files?: MessageParts['attachments'];
}

/** Response without a message. */
export const NOTHING_SENT: SentAnswer = { message: () => undefined };

/** Returns whether a value is a handle that a context returned. */
export const isSentMessage = (value: unknown): value is SentMessage => value instanceof Sent;

/** Returns whether the result of a handler is one or several of its sent messages: the handler has answered then. */
export const areSentMessages = (value: unknown): value is SentMessage | readonly SentMessage[] =>
  isSentMessage(value) || (Array.isArray(value) && value.every(isSentMessage));

/** Handle of a sent message. Its functions are created when they are read: most handles are never used. */
export class Sent implements SentMessage {
  /** Returns the owner of the note of a message; `undefined` for a message without a note. */
  static notedBy(message: SentMessage): SentMessageInit['noted'] {
    return message instanceof Sent ? message.#init.noted : undefined;
  }

  readonly #init: SentMessageInit;
  #message: Message | undefined;
  #content: string;

  constructor(init: SentMessageInit) {
    this.#init = init;
    this.#content = init.content;
    this.#message = init.known;
  }

  get id(): string | undefined {
    return this.#message?.id;
  }

  get content(): string {
    return this.#init.currentContent?.() ?? this.#content;
  }

  get edit(): SentMessage['edit'] {
    return async (input) => {
      const { rest, channelId, edit } = this.#init;
      const content = editedText(input);
      const edited = edit
        ? await edit(content)
        : await rest.messages.edit(channelId, (await this.#find()).id, { content });
      this.#content = content;
      if (edited) this.#message = edited;
      else if (this.#message) this.#message = { ...this.#message, content };
    };
  }

  get react(): SentMessage['react'] {
    const { rest, channelId } = this.#init;
    return (emoji) => this.#call((id) => rest.reactions.add(channelId, id, toEmoji(emoji)));
  }

  get unreact(): SentMessage['unreact'] {
    const { rest, channelId } = this.#init;
    return (emoji) => this.#call((id) => rest.reactions.remove(channelId, id, toEmoji(emoji)));
  }

  get delete(): SentMessage['delete'] {
    const { rest, channelId } = this.#init;
    return () => this.#call((id) => rest.messages.delete(channelId, id));
  }

  get message(): SentMessage['message'] {
    return () => this.#find();
  }

  async #call(call: (id: string) => Promise<unknown>): Promise<void> {
    await call((await this.#find()).id);
  }

  async #find(): Promise<Message> {
    if (this.#message) return this.#message;
    const { channelId, find } = this.#init;
    this.#message = await (find ? find() : this.#search());
    if (!this.#message) throw runtimeErrors.E_MESSAGE_NOT_FOUND({ channelId });
    return this.#message;
  }

  async #search(): Promise<Message | undefined> {
    const { rest, channelId } = this.#init;
    const { botUserId } = await rest.users.me();
    const { messages } = await rest.messages.list(channelId);
    const own = messages.filter(
      ({ authorId, content }) => isSameId(authorId, botUserId) && content === this.content,
    );
    // The order of a page is not stated.
    return own.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
  }
}

const toEmoji = (emoji: Parameters<SentMessage['react']>[0]): Emoji =>
  typeof emoji === 'string' ? { unicodeEmoji: emoji } : emoji;
