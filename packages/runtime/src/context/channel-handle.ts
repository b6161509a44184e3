import { toParts, type MessageInput, type MessageParts } from '../define/answer.js';
import { splitContent } from '../text/split-content.js';
import { createSentMessage, type SentMessage } from './sent-message.js';
import { createTyping, type Typing, type TypingOptions } from './typing.js';

/** A channel to write to. Every member can be destructured. */
export interface ChannelHandle {
  readonly id: string;
  /**
   * Sends a message, with its files. Endpoint 6. With `split`, a text that is too long continues in
   * further messages; the handle is that of the first.
   */
  readonly send: (input: MessageInput) => Promise<SentMessage>;
  /** Shows that the bot is typing: `typing()` for a few seconds, `typing.during(work)` for as long as it takes. */
  readonly typing: Typing;
}

/** The parts that every channel of a command or an event uses. */
export type ChannelHandleOptions = TypingOptions;

export function createChannelHandle(id: string, options: ChannelHandleOptions): ChannelHandle {
  return new Channel(id, options);
}

class Channel implements ChannelHandle {
  readonly id: string;
  readonly #options: ChannelHandleOptions;
  #typing: Typing | undefined;

  constructor(id: string, options: ChannelHandleOptions) {
    this.id = id;
    this.#options = options;
  }

  get send(): ChannelHandle['send'] {
    return (input) => send(toParts(input), this.id, this.#options);
  }

  /** Created on first use: a function with members costs more than a command that answers at once. */
  get typing(): Typing {
    return (this.#typing ??= createTyping(this.id, this.#options));
  }
}

async function send(
  parts: MessageParts,
  channelId: string,
  options: ChannelHandleOptions,
): Promise<SentMessage> {
  if (parts.split !== true || typeof parts.content !== 'string')
    return sendOne(parts, channelId, options);
  const [content = parts.content, ...texts] = splitContent(parts.content);
  const last = texts.pop();
  if (last === undefined) return sendOne({ ...parts, content }, channelId, options);
  const first = await sendOne({ content, replyTo: parts.replyTo }, channelId, options);
  for (const text of texts) await sendOne({ content: text }, channelId, options);
  await sendOne({ ...parts, content: last, replyTo: undefined }, channelId, options);
  return first;
}

async function sendOne(
  { content, files, attachments, replyTo }: MessageParts,
  channelId: string,
  options: ChannelHandleOptions,
): Promise<SentMessage> {
  const { rest, lifetime } = options;
  const body = { content, attachments, replyToMessageId: replyTo };
  const message = await lifetime.during((signal) =>
    rest.messages.send(channelId, files ? { ...body, files } : body, { signal }),
  );
  return createSentMessage({ rest, channelId, content, known: message });
}
