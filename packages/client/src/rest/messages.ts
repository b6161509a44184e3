import type {
  CreateBotMessageRequest,
  EditMessageRequest,
  Message,
  MessageContext,
  MessageContextQuery,
  MessagePage,
  MessagePageQuery,
} from '@virgule/core/protocol';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/** Calls about messages. */
export interface MessageCalls {
  /**
   * One page of a channel's messages, going backwards in time: `before` is the id of a message, and
   * the page holds older ones; `limit` is 50 when absent (Bot Interface, Endpoints #5).
   */
  list(channelId: string, query?: MessagePageQuery, options?: CallOptions): Promise<MessagePage>;
  /**
   * Sends a message; its content has 1 to 2000 characters (#6). It is never sent twice by itself.
   *
   * @returns the message, or `undefined` when the platform answers without one (not shown).
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been sent.
   */
  send(
    channelId: string,
    body: CreateBotMessageRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
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
  /** Deletes a message; one that somebody else wrote needs ManageMessages (#7). */
  delete(channelId: string, messageId: string, options?: CallOptions): Promise<void>;
  /** The messages around one: `before` and `after` are counts, 25 when absent (#10). */
  context(
    channelId: string,
    messageId: string,
    query?: MessageContextQuery,
    options?: CallOptions,
  ): Promise<MessageContext>;
}

export function createMessageCalls(call: ApiCall): MessageCalls {
  return {
    list: (channelId, query, options) =>
      call('messages.list', { parameters: { channelId }, query }, options),
    send: (channelId, body, options) =>
      call('messages.send', { parameters: { channelId }, body }, options),
    get: (channelId, messageId, options) =>
      call('messages.get', { parameters: { channelId, messageId } }, options),
    edit: (channelId, messageId, body, options) =>
      call('messages.edit', { parameters: { channelId, messageId }, body }, options),
    delete: (channelId, messageId, options) =>
      call('messages.delete', { parameters: { channelId, messageId } }, options),
    context: (channelId, messageId, query, options) =>
      call('messages.context', { parameters: { channelId, messageId }, query }, options),
  };
}
