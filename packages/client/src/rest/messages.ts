import type {
  CreateBotMessageRequest,
  EditMessageRequest,
  Message,
  MessageContext,
  MessageContextQuery,
  MessagePage,
  MessagePageQuery,
} from '@virgule/core/protocol';
import type { FileInput } from '../upload/files.js';
import type { HistoryOptions } from './history.js';
import type { CallOptions } from './rest-options.js';

/** A message to send. */
export interface MessageBody extends CreateBotMessageRequest {
  /** Text of 1 to 2000 characters, counted as `text.length` does; may be empty next to files. */
  readonly content: string;
  /**
   * Files to upload and send with it: paths, bytes, streams, Blobs, or `{ name, data }`. They come
   * after those in `attachments`, which were uploaded before.
   */
  readonly files?: readonly FileInput[] | undefined;
}

/** Calls about messages. */
export interface MessageCalls {
  /**
   * One page of a channel's messages, going backwards in time: `before` is the id of a message, and
   * the page holds older ones; `limit` is 50 when absent (Bot Interface, Endpoints #5).
   */
  list(channelId: string, query?: MessagePageQuery, options?: CallOptions): Promise<MessagePage>;
  /**
   * A channel's messages from the newest to the oldest, page by page as they are asked for (#5).
   * The signal ends it with `E_ABORTED`; leaving the loop ends it too.
   *
   * @example
   * ```ts
   * for await (const message of rest.messages.history(channelId, { limit: 200 })) {
   *   console.log(message.createdAt, message.content);
   * }
   * ```
   */
  history(channelId: string, options?: HistoryOptions): AsyncGenerator<Message, void, undefined>;
  /**
   * Sends a message, with its files: each is uploaded first (#19), without the bot token, and the
   * message is sent when all are there (#6); messages that are sent meanwhile come before it. It is
   * never sent twice by itself; `sendReconciled` looks for it when its outcome is unknown.
   *
   * @returns the message, or `undefined` when the platform answers without one (not shown).
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been sent, `E_INVALID_CALL` when a text
   * is too long, a file is missing or is larger than the platform takes, `E_UPLOAD_FAILED` when a
   * file did not arrive: then no message was sent.
   *
   * @example
   * ```ts
   * await rest.messages.send(channelId, { content: 'Look!', files: ['cat.png'] });
   * ```
   */
  send(channelId: string, body: MessageBody, options?: CallOptions): Promise<Message | undefined>;
  /** One message (#8). */
  get(channelId: string, messageId: string, options?: CallOptions): Promise<Message>;
  /**
   * Replaces the content of a message that the bot wrote; any other one answers 403 (#9).
   *
   * @returns the message, or `undefined` when the platform answers without one (not shown).
   */
  edit(
    channelId: string,
    messageId: string,
    body: EditMessageRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
  /** Deletes a message; one of another user needs ManageMessages (#7). */
  delete(channelId: string, messageId: string, options?: CallOptions): Promise<void>;
  /** The messages around one: `before` and `after` are counts, 25 when absent (#10). */
  context(
    channelId: string,
    messageId: string,
    query?: MessageContextQuery,
    options?: CallOptions,
  ): Promise<MessageContext>;
}
