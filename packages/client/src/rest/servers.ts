import type { BotMe, Channel, CustomEmoji, Server } from '@virgule/core/protocol';
import type { CallOptions } from './rest-options.js';

/** Calls about the bot itself. */
export interface UserCalls {
  /** Who the bot is: the first call after starting, since it shows whether the token is valid (Bot Interface, Endpoints #1). */
  me(options?: CallOptions): Promise<BotMe>;
}

/** Calls about servers. */
export interface ServerCalls {
  /** The servers where a user installed the bot (Bot Interface, Endpoints #2). */
  list(options?: CallOptions): Promise<readonly Server[]>;
  /** The channels of a server that the bot can see (#3). */
  channels(serverId: string, options?: CallOptions): Promise<readonly Channel[]>;
  /** The custom emojis that can be used in a server; their ids are the `customEmojiId` of a reaction (#4). */
  emojis(serverId: string, options?: CallOptions): Promise<readonly CustomEmoji[]>;
}

/** Calls about channels. */
export interface ChannelCalls {
  /** Shows "is typing" for a few seconds; call again during long work (Bot Interface, Endpoints #11). */
  typing(channelId: string, options?: CallOptions): Promise<void>;
}
