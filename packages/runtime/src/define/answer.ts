import type { FileInput } from '@virgule/client/rest';
import type { MessageAttachmentDraft } from '@virgule/core/protocol';

/** The parts of a message. */
export interface MessageParts {
  /** 1 to 2000 characters; may be empty beside files, and longer with `split`. */
  readonly content: string;
  /**
   * Files to upload and send with it: paths, bytes, streams, Blobs, or `{ name, data }`. Only a new
   * message can carry files, an edit cannot.
   */
  readonly files?: readonly FileInput[] | undefined;
  /** Files that were uploaded before; they come before `files`. */
  readonly attachments?: readonly MessageAttachmentDraft[] | undefined;
  /** Id of the message this one replies to. */
  readonly replyTo?: string | undefined;
  /**
   * Whether a text of more than 2000 characters goes on in further messages, cut at the end of a
   * line or between words, a code block closed and opened again. Its files come with the last one.
   *
   * @defaultValue `false`: such a text is an error
   */
  readonly split?: boolean | undefined;
}

/** What a message can be written from. */
export type MessageInput = string | MessageParts;

/** What an edit can be written from: text alone, since an edit carries no files. */
export type EditInput =
  | string
  | {
      readonly content: string;
      readonly files?: never;
      readonly attachments?: never;
    };

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

/** Whether a message carries files, uploaded or not. */
export const carriesFiles = ({ files, attachments }: MessageParts): boolean =>
  (files?.length ?? 0) > 0 || (attachments?.length ?? 0) > 0;
