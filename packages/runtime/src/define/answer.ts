import type { MessageAttachmentDraft } from '@virgule/core/protocol';

/** The parts of a message. */
export interface MessageParts {
  /** 1 to 2000 characters. */
  readonly content: string;
  /** Files that were uploaded before. Only a new message can carry files, an edit cannot. */
  readonly attachments?: readonly MessageAttachmentDraft[] | undefined;
  /** Id of the message this one replies to. */
  readonly replyTo?: string | undefined;
}

/** What a message can be written from. */
export type MessageInput = string | MessageParts;

/** What an edit can be written from: text alone, since an edit carries no files. */
export type EditInput = string | { readonly content: string };

/**
 * What a handler gives back. A text or message is written as the answer. `null` is silence on
 * purpose; `undefined` is silence too, with a warning in development when nothing was answered. A
 * handler that only calls `reply()` gives `void`.
 */
export type Answer = MessageInput | null | undefined | void;

/** A generator of answers: each value replaces the one before, the returned one is the last state. */
export type AnswerStates =
  | AsyncGenerator<MessageInput, Answer, undefined>
  | Generator<MessageInput, Answer, undefined>;

export function toParts(input: MessageInput): MessageParts {
  // JavaScript may give a number or nothing, against the types: what checks the content then tells it.
  return typeof input === 'object' && input !== null ? input : { content: input };
}
