import type { SentAnswer } from '@virgule/client/rest';
import type { MessageParts } from './answer.js';
import type { OrderedAnswer } from './ordered-answer.js';
import type { Pursue } from './pursue.js';
import type { SentMessageInit } from './sent-message.js';
import type { InteractionState } from './transitions.js';

/** Caller of a command: a slash, a message with its prefix, code by `call`, or a language model. */
export type Caller = 'slash' | 'message' | 'code' | 'model';

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

/** The answer of one run of a command, in the form that its caller takes. The messages are sent in their order. */
export interface AnswerPort extends Readonly<OrderedAnswer> {
  /** `true` if messages take their files as they are. @defaultValue `false`: files are uploaded first */
  readonly takesFiles?: boolean;
  readonly state: InteractionState;
  /** Returns whether another process has answered. */
  readonly isAnsweredBefore: boolean;
  /** Shows that the command works, unless something was sent before. */
  defer(): Promise<void>;
  /** Shows that the command works, in the background, or only keeps a silent command open; a failure is logged. */
  autoDefer(isSilent?: boolean): void;
  /** Ends a command without an answer, unless something was sent before. */
  acknowledge(): Promise<void>;
  /** Replaces a thinking state that another process may have left. Creates no answer without one. */
  replaceThinking(content: string): Promise<void>;
  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts, options?: WriteOptions): Promise<Written>;
  /** Creates the answer, or sends a follow-up if there is an answer. */
  reply(parts: MessageParts): Promise<Written>;
  /** Repeats a call of the command until it succeeds, the command ends, the bot drains, or the signal is aborted. */
  readonly pursue: Pursue;
  /** Makes the current state final. Resolves when the state is no longer in the journal. */
  finish(): Promise<void>;
  /** Notes what the user sees, for the next start after a kill. */
  remember(shows: 'thinking' | 'state' | 'answer'): void;
  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void;
}
