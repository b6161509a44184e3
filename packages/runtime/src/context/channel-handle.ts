import type { Profile } from '@virgule/core/protocol';
import { toParts, type MessageInput, type MessageParts } from '../define/answer.js';
import type { TextSource } from '../define/text-source.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { TextAppender } from '../interaction/append-text.js';
import type { PageMessage } from '../interaction/page-writer.js';
import { pursue } from '../interaction/pursue.js';
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
  /**
   * Sends pieces of text as they arrive, such as those of a language model: the message is created with the
   * first and edited, at least 250 ms apart; text beyond 2000 characters continues in further messages. If
   * the source fails, the text so far remains, and the error is thrown.
   *
   * @returns handles of the messages, in their order; none if there was no text.
   */
  readonly append: (source: TextSource, options?: AppendOptions) => Promise<readonly SentMessage[]>;
  /** Shows that the bot is typing: `typing()` for a few seconds, `typing.during(work)` for as long as it takes. */
  readonly typing: Typing;
}

export interface AppendOptions {
  /** Id of the message that the first message replies to. @defaultValue none */
  readonly replyTo?: string | undefined;
}

/** The parts that every channel of a command or an event uses. */
export interface ChannelHandleOptions extends TypingOptions {
  readonly random: () => number;
  readonly profile: Pick<Profile, 'typingMs' | 'editIntervalMs' | 'deferredWindowMs'>;
}

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

  get append(): ChannelHandle['append'] {
    return (source, { replyTo } = {}) => append(source, replyTo, this.id, this.#options);
  }

  /** Created on first use: a function with members costs more than a command that answers at once. */
  get typing(): Typing {
    return (this.#typing ??= createTyping(this.id, this.#options));
  }
}

async function append(
  source: TextSource,
  replyTo: string | undefined,
  channelId: string,
  options: ChannelHandleOptions,
): Promise<readonly SentMessage[]> {
  const { lifetime, clock, random, profile } = options;
  const untilMs = clock.monotonic() + profile.deferredWindowMs;
  const message = (replyToFirst?: string): PageMessage<SentMessage> => {
    let sent: SentMessage | undefined;
    return {
      async write(content) {
        if (sent) await sent.edit(content);
        else sent = await sendOne({ content, replyTo: replyToFirst }, channelId, options);
        return sent;
      },
    };
  };
  return lifetime.during((signal) =>
    new TextAppender({
      answer: message(replyTo),
      next: () => message(),
      pursue: (call, { signal: stopped }) =>
        pursue(call, () => ({ clock, random, untilMs, signal: stopped })),
      clock,
      intervalMs: profile.editIntervalMs,
      signal,
      ready: () => null,
      notText: (piece) => runtimeErrors.E_CHUNK_TYPE({ saw: typeof piece }),
    }).append(source),
  );
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
