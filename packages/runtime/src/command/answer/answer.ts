import type { FileInput } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { describeSeen, isObject } from '@virgule/core/objects';
import {
  CONTENT_MAX_LENGTH,
  type Message,
  type MessageAttachmentDraft,
} from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { splitContent } from '../../text/split-content.js';
import type { CallResult } from '../context/call.js';
import { warnOnce } from '../warn-once.js';

declare const nothing: unique symbol;

/** Type of keys that other platforms have. No value is assignable to this type, and TypeScript names it in the error. */
interface NotOnThisPlatform {
  readonly [nothing]: never;
}

/** The parts of a message. */
export interface MessageParts {
  /** Text of 1 to 2000 characters. Can be omitted with files; can be longer with `split`. */
  readonly content: string;
  /** Files to upload and send with a new message: paths, bytes, streams, Blobs, or `{ name, data }`. An edit cannot carry files. */
  readonly files?: readonly FileInput[] | undefined;
  /** Files that are already uploaded. The message lists them before `files`. */
  readonly attachments?: readonly MessageAttachmentDraft[] | undefined;
  /** Id of the message to reply to. */
  readonly replyTo?: string | undefined;
  /**
   * `true` if a text of more than 2000 characters continues in further messages, cut at the end of a line or between words,
   * with a code block closed and reopened. The last message has the files. `{ max }` limits the number of messages, at least 1: the
   * last one then ends with `…`.
   *
   * @defaultValue `false`: a longer text is an error
   */
  readonly split?: boolean | { readonly max: number } | undefined;
  /** Not on this platform: write the text in `content`. */
  readonly embeds?: NotOnThisPlatform;
  /** Not on this platform: ask with `confirm()`, or turn pages with `paginate()`. */
  readonly components?: NotOnThisPlatform;
  /** Not on this platform: all members of a channel see each message. */
  readonly ephemeral?: NotOnThisPlatform;
}

/** A message of files alone. */
interface FileParts extends Omit<MessageParts, 'content' | 'files'> {
  readonly content?: undefined;
  readonly files: readonly FileInput[];
}

/** A message to write. */
export type MessageInput = string | MessageParts | FileParts;

/** The new text of a message; an edit cannot contain files. */
export type EditInput =
  | string
  | {
      readonly content: string;
      readonly files?: never;
      readonly attachments?: never;
    };

/** A message the bot wrote. Every member can be destructured. */
export interface SentMessage {
  /** Message id; `undefined` if the platform did not return the id. `message()` looks the message up. */
  readonly id: string | undefined;
  /** Text of the message, as last written. Empty for a message of files alone. */
  readonly content: string;
  /** Replaces the text. An edit carries no files. */
  readonly edit: (input: EditInput) => Promise<void>;
  /** Adds a reaction: a unicode emoji as text, or a custom emoji by id. Endpoint 16. */
  readonly react: (emoji: string | { readonly customEmojiId: string }) => Promise<void>;
  /** Removes the bot's own reaction. Endpoint 15. */
  readonly unreact: (emoji: string | { readonly customEmojiId: string }) => Promise<void>;
  /** Deletes the message. Endpoint 7. */
  readonly delete: () => Promise<void>;
  /**
   * Resolves to the message. The Bot Interface does not specify the response to a write. If the response does not contain the
   * message, the newest message of the channel with its text is found.
   *
   * @throws VirguleError `E_MESSAGE_NOT_FOUND` when no such message is found.
   */
  readonly message: () => Promise<Message>;
}

/**
 * The result of a handler: a string or message to write, `null` for intended silence, the messages of `reply()` and `append()`,
 * which are sent already, or the result of `call()`, whose text and files are the answer. `undefined` is silence too, with a
 * warning in development if nothing was answered.
 */
export type Answer =
  | MessageInput
  | SentMessage
  | readonly SentMessage[]
  | CallResult
  | null
  | undefined
  | void;

/** A generator of answers: each yielded value replaces the previous value; the returned value is the last state. */
export type AnswerStates =
  | AsyncGenerator<MessageInput, Answer, undefined>
  | Generator<MessageInput, Answer, undefined>;

/** Returns the parts of a message. */
export function toParts(input: MessageInput): MessageParts {
  // JavaScript may pass a number or nothing, against the types: the check of the content reports it.
  if (!isObject(input)) return { content: input };
  if (input.content !== undefined) return input;
  const { files }: { readonly files?: unknown } = input;
  return files ? { ...input, content: '' } : (input as unknown as MessageParts);
}

/** Returns the answer of a handler, which may be the outcome of a called command. */
export function answerOf(result: Answer): Exclude<Answer, CallResult> {
  if (!isObject(result) || !('followUps' in result)) return result;
  const { content = '', files } = result;
  return content === '' && files.length === 0 ? null : { content, files };
}

/** Returns whether a message carries files, uploaded or not. JavaScript may pass a single file, which the upload refuses. */
export const carriesFiles = ({ files, attachments }: MessageParts): boolean =>
  [files, attachments].some((list) => list && list.length !== 0);

/** Returns the new text of a message. JavaScript may pass files. @throws VirguleError `E_ANSWER_INVALID`. */
export function editedText(input: EditInput): string {
  const parts = toParts(input);
  if (carriesFiles(parts)) throw runtimeErrors.E_ANSWER_INVALID({ kind: 'edit-with-files' });
  return parts.content;
}

/** Text for an edit or a message that has only files: only an answer to an interaction may have no text. */
export const NO_TEXT = '📎';

/** Returns the text of a message, which may have only files. */
export const textOf = (parts: MessageParts): string =>
  parts.content === '' && carriesFiles(parts) ? NO_TEXT : parts.content;

/** Splits a message: the first one is the reply, the last one has the files. */
export function splitMessage(parts: MessageParts): readonly [MessageParts, ...MessageParts[]] {
  const { content, split, files, attachments } = parts;
  // JavaScript may pass any content, against the types.
  if (!split || typeof content !== 'string' || content.length <= CONTENT_MAX_LENGTH) return [parts];
  const all = splitContent(content);
  const [first = content, ...texts] = isObject(split) ? shorten(all, split) : all;
  const last = texts.pop();
  if (last === undefined) return [{ ...parts, content: first }];
  return [
    { ...parts, content: first, files: undefined, attachments: undefined },
    ...texts.map((text) => ({ content: text })),
    { content: last, files, attachments },
  ];
}

const MORE = '\n…';

/** Limits the number of texts. The last one then ends with an ellipsis in a line outside of any code block. */
function shorten(texts: readonly string[], { max }: { readonly max: number }): readonly string[] {
  const kept = texts.slice(0, Math.max(1, Math.trunc(max) || 1));
  if (kept.length === texts.length) return texts;
  const [last = ''] = splitContent(kept.pop() ?? '', CONTENT_MAX_LENGTH - MORE.length);
  return [...kept, last + MORE];
}

const KNOWN: readonly string[] = [
  'content',
  'files',
  'attachments',
  'replyTo',
  'split',
] satisfies (keyof MessageParts)[];

/** Checks a message. JavaScript may pass anything. @throws VirguleError `E_ANSWER_INVALID`. */
export function checkMessage(parts: MessageParts, commandName: string, log: Log): void {
  const { content } = parts;
  if (typeof content !== 'string') {
    const saw =
      content === undefined
        ? `${describeSeen(parts)} without content`
        : `a content of type ${typeof content}`;
    throw runtimeErrors.E_ANSWER_INVALID({ kind: 'type', commandName, saw });
  }
  const { length } = content;
  const isMissing = length === 0 && !carriesFiles(parts);
  if (isMissing || length > CONTENT_MAX_LENGTH)
    throw runtimeErrors.E_ANSWER_INVALID({ kind: 'length', owner: `/${commandName}`, length });
  warnUnsupported(parts, commandName, log);
}

/**
 * Warns once for each source and key of a message that the platform does not support, such as `embeds` and `ephemeral`. The
 * types refuse most of them, but JavaScript may pass them (Bot Interface, "What the service does").
 *
 * @param commandName - the command that answers; `undefined` for a message to a channel.
 */
export function warnUnsupported(
  parts: MessageParts,
  commandName: string | undefined,
  log: Log,
): void {
  for (const key in parts) {
    if (KNOWN.includes(key)) continue;
    const source = commandName === undefined ? 'send() was called' : `/${commandName} answers`;
    const meant = didYouMean(key, KNOWN);
    const hint = meant ? `; did you mean "${meant}"?` : '; it is not sent';
    const end = key === 'ephemeral' ? ': all members see the answer' : hint;
    const message = `${source} with "${key}", which the platform does not support${end}`;
    warnOnce(log, { command: commandName, key }, message);
  }
}
