import type {
  MessageReactionDetails,
  MessageReactionUpdate,
  ReactionQuery,
} from '@virgule/core/protocol';
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
