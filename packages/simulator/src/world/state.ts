import type { BotMe, Command, Permission } from '@virgule/core/protocol';
import type { SimInteractionState, SimProblem } from '@virgule/core/simulator-api';

// Plain data only: a change replaces records and never edits them, so whoever holds a record holds
// how things were.

export interface ServerRecord {
  readonly id: string;
  readonly name: string;
  readonly botInstalled: boolean;
  readonly ownerId: string;
  /** The bot is among them where it is installed. */
  readonly memberIds: readonly string[];
}

export interface ChannelRecord {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly kind: 'text' | 'voice';
  readonly position: number;
  readonly topic: string | null;
  /** False when a permission override hides the channel from the bot. */
  readonly visibleToBot: boolean;
  readonly botPermissions: readonly Permission[];
}

export interface UserRecord {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly isBot: boolean;
  /** Such as `owner` or `moderator`; empty for an ordinary member. */
  readonly role: string;
}

export interface EmojiRecord {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly isAnimated: boolean;
}

export interface AttachmentRecord {
  readonly id: string;
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/** The emoji of a reaction; exactly one of the first two is set. */
export interface EmojiKey {
  readonly unicodeEmoji: string | null;
  readonly customEmojiId: string | null;
  readonly customEmojiName: string | null;
}

export interface ReactionRecord {
  readonly emoji: EmojiKey;
  /** In the order in which they reacted. */
  readonly userIds: readonly string[];
}

export interface MessageRecord {
  readonly id: string;
  /** Grows with every message of the world: the order of time, also within one millisecond. */
  readonly position: number;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly attachments: readonly AttachmentRecord[];
  readonly reactions: readonly ReactionRecord[];
  readonly replyToMessageId: string | null;
  readonly interactionId: string | null;
  readonly createdAtMs: number;
  readonly editedAtMs: number | null;
  readonly isDeleted: boolean;
}

export interface UploadRecord {
  readonly objectKey: string;
  readonly channelId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly expiresAtMs: number;
  /** Null until the bytes arrived. */
  readonly sizeBytes: number | null;
}

export interface VoiceRecord {
  readonly channelId: string;
  /** Who joined; an ingress that is open makes the bot a participant too. */
  readonly joinedIds: readonly string[];
  readonly ingressId: string | null;
}

export interface InteractionRecord {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly commandName: string;
  readonly rawInput: string;
  readonly state: SimInteractionState;
  /** Stays true once it was deferred, whatever the state becomes. */
  readonly wasDeferred: boolean;
  readonly createdAtMs: number;
  /** When the window in force closes; null once no window is. */
  readonly deadlineMs: number | null;
  /** An acknowledged interaction whose window passed: nothing changes to the eye, but it takes no answer any more. */
  readonly isClosed: boolean;
  readonly responseMessageId: string | null;
}

/** The bot's gateway sockets, taken together. */
export interface ConnectionRecord {
  readonly connected: boolean;
  /** How often a socket identified. */
  readonly identifies: number;
}

export interface WorldState {
  /** How many changes were made. */
  sequence: number;
  readonly bot: BotMe;
  readonly servers: Map<string, ServerRecord>;
  readonly channels: Map<string, ChannelRecord>;
  readonly users: Map<string, UserRecord>;
  readonly emojis: Map<string, EmojiRecord>;
  readonly messages: Map<string, MessageRecord>;
  /** The messages of each channel, oldest first. */
  readonly histories: Map<string, MessageRecord[]>;
  /** The id of the message that carries each attachment. */
  readonly attachmentMessages: Map<string, string>;
  /** Upload sessions that no message has used, by object key. */
  readonly uploads: Map<string, UploadRecord>;
  readonly voice: Map<string, VoiceRecord>;
  commands: readonly Command[];
  readonly interactions: Map<string, InteractionRecord>;
  problems: readonly SimProblem[];
  connection: ConnectionRecord;
}
