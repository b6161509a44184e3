import type {
  MessageReactionDetails,
  MessageReactionUpdate,
  ReactionMutationRequest,
  ReactionQuery,
} from '@virgule/core/protocol';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/** The emoji of a reaction: a unicode one, or a custom one from `servers.emojis`. */
export type Emoji = { readonly unicodeEmoji: string } | { readonly customEmojiId: string };

/** Calls about reactions. Where the Bot Interface does not show the answer, it may be `undefined`. */
export interface ReactionCalls {
  /** The reactions of a message, of one emoji when `query` names it (Bot Interface, Endpoints #13). */
  list(
    channelId: string,
    messageId: string,
    query?: ReactionQuery,
    options?: CallOptions,
  ): Promise<MessageReactionUpdate | undefined>;
  /** The reactions of a message with those who gave them (#14). */
  details(
    channelId: string,
    messageId: string,
    query?: ReactionQuery,
    options?: CallOptions,
  ): Promise<MessageReactionDetails>;
  /** Adds the bot's reaction (#16). */
  add(
    channelId: string,
    messageId: string,
    emoji: Emoji,
    options?: CallOptions,
  ): Promise<MessageReactionUpdate | undefined>;
  /** Removes the bot's own reaction (#15). */
  remove(
    channelId: string,
    messageId: string,
    emoji: Emoji,
    options?: CallOptions,
  ): Promise<MessageReactionUpdate | undefined>;
  /** Removes the reaction of another user; needs ManageReactions (#17). */
  removeUser(
    channelId: string,
    messageId: string,
    userId: string,
    emoji: Emoji,
    options?: CallOptions,
  ): Promise<MessageReactionUpdate | undefined>;
  /** Removes all reactions of a message; needs ManageReactions or ManageMessages (#12). */
  clear(
    channelId: string,
    messageId: string,
    options?: CallOptions,
  ): Promise<MessageReactionUpdate | undefined>;
}

export function createReactionCalls(call: ApiCall): ReactionCalls {
  return {
    list: (channelId, messageId, query, options) =>
      call('reactions.list', { parameters: { channelId, messageId }, query }, options),
    details: (channelId, messageId, query, options) =>
      call('reactions.details', { parameters: { channelId, messageId }, query }, options),
    add: (channelId, messageId, emoji, options) =>
      call(
        'reactions.add',
        { parameters: { channelId, messageId }, body: bothKeys(emoji) },
        options,
      ),
    remove: (channelId, messageId, emoji, options) =>
      call(
        'reactions.remove',
        { parameters: { channelId, messageId }, body: bothKeys(emoji) },
        options,
      ),
    removeUser: (channelId, messageId, userId, emoji, options) =>
      call(
        'reactions.removeUser',
        { parameters: { channelId, messageId, userId }, body: bothKeys(emoji) },
        options,
      ),
    clear: (channelId, messageId, options) =>
      call('reactions.clear', { parameters: { channelId, messageId } }, options),
  };
}

/** Both keys are always sent; the one that does not apply is null. */
function bothKeys(emoji: Partial<ReactionMutationRequest> | undefined): ReactionMutationRequest {
  // Plain JavaScript may give a text, nothing, or both; the check of the body then reports it.
  return {
    unicodeEmoji: emoji?.unicodeEmoji ?? null,
    customEmojiId: emoji?.customEmojiId ?? null,
  };
}
