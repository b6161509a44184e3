import type { SentAnswer } from '@virgule/client/rest';
import type { MessageParts } from './answer.js';
import type { SentMessageInit } from './sent-message.js';

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
