import type { Command } from '@virgule/core/protocol';
import type {
  SimBot,
  SimChannel,
  SimClockState,
  SimEmoji,
  SimFailure,
  SimInteraction,
  SimProblem,
  SimRole,
  SimServer,
  SimUser,
} from '@virgule/core/simulator-api';

// Plain data only: a change replaces records and never modifies them, so a reference to a record stays valid.

/** A server, whose members include the installed bots. */
export interface ServerRecord extends Omit<SimServer, 'memberCount'> {
  readonly ownerId: string;
}

export interface ChannelRecord extends Omit<SimChannel, 'type'> {
  readonly kind: 'text' | 'voice';
}

export type UserRecord = Omit<SimUser, 'token'>;

export type RoleRecord = SimRole;

export type EmojiRecord = Omit<SimEmoji, 'imageUrl'>;

export interface AttachmentRecord extends Pick<
  UploadRecord,
  'objectKey' | 'fileName' | 'contentType'
> {
  readonly id: string;
  readonly sizeBytes: number;
}

/** The emoji of a reaction; exactly one of `unicodeEmoji` and `customEmojiId` is set. */
export interface EmojiKey {
  readonly unicodeEmoji: string | null;
  readonly customEmojiId: string | null;
  readonly customEmojiName: string | null;
}

export interface ReactionRecord {
  readonly emoji: EmojiKey;
  /** User ids, in the order of the reactions. */
  readonly userIds: readonly string[];
}

export interface MessageRecord {
  readonly id: string;
  /** Increases with every message of the world: the order of messages, even within one millisecond. */
  readonly position: number;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly attachments: readonly AttachmentRecord[];
  readonly reactions: readonly ReactionRecord[];
  readonly replyToMessageId: string | null;
  readonly interactionId: string | null;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly isDeleted: boolean;
  readonly failure?: SimFailure | undefined;
}

export interface UploadRecord {
  readonly objectKey: string;
  readonly channelId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly expiresAtMs: number;
  /** Null until the bytes have arrived. */
  readonly sizeBytes: number | null;
}

export interface VoiceRecord {
  readonly channelId: string;
  /** Ids of the users who joined; an open ingress makes its bot a participant too. */
  readonly joinedIds: readonly string[];
  readonly ingress: { readonly id: string; readonly botUserId: string } | null;
}

export interface InteractionRecord extends Omit<SimInteraction, 'expiresAt'> {
  /** End of the current window, in milliseconds since 1970; null without a window. */
  readonly deadlineMs: number | null;
  /** `true` for an acknowledged interaction whose window has ended: it looks the same, but accepts no answer. */
  readonly isClosed: boolean;
  /** `true` if the platform has accepted a call of the bot for the interaction. */
  readonly hasCall: boolean;
}

/** A bot: its identity, its commands, and the state of all its gateway sockets. */
export interface BotRecord extends SimBot {
  readonly commands: readonly Command[];
}

export interface WorldState {
  /** Number of changes so far. */
  sequence: number;
  /** Bots by user id. The first bot comes from the seed. */
  readonly bots: Map<string, BotRecord>;
  readonly servers: Map<string, ServerRecord>;
  readonly channels: Map<string, ChannelRecord>;
  readonly users: Map<string, UserRecord>;
  readonly roles: Map<string, RoleRecord>;
  readonly emojis: Map<string, EmojiRecord>;
  readonly messages: Map<string, MessageRecord>;
  /** The messages of each channel, oldest first. */
  readonly histories: Map<string, MessageRecord[]>;
  /** Id of the message of each attachment. */
  readonly attachmentMessages: Map<string, string>;
  /** Unused upload sessions, by object key. */
  readonly uploads: Map<string, UploadRecord>;
  readonly voice: Map<string, VoiceRecord>;
  readonly interactions: Map<string, InteractionRecord>;
  problems: readonly SimProblem[];
  clock: SimClockState;
  /** Address that opens a file of the bot in an editor. */
  editor: string | null;
}
