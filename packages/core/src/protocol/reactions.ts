// Source: Bot Interface, "Reaction bodies" and "Payload shapes".
import * as z from 'zod';
import { assumed, assumedPart } from './assumed.js';
import { idSchema, int32Schema } from './values.js';

/**
 * The emoji of a reaction. `kind` `custom` is the only one the Bot Interface gives; a unicode emoji
 * is assumed to be `{ kind: "unicode", unicodeEmoji }`, and other kinds pass through.
 */
export interface ReactionEmoji {
  readonly kind: string;
  readonly customEmojiId?: string | undefined;
  readonly customEmojiName?: string | undefined;
  /** Assumed. */
  readonly unicodeEmoji?: string | undefined;
}
export const reactionEmojiSchema = z.looseObject({
  kind: z.string(),
  customEmojiId: idSchema.optional(),
  customEmojiName: z.string().optional(),
  unicodeEmoji: assumed(z.string().optional(), 'how a unicode reaction is written'),
}) satisfies z.ZodType<ReactionEmoji>;

/** One emoji under a message and how often it was given (ReactionSummaryDto; all fields assumed, another form passes through as it came). */
export interface ReactionSummary {
  readonly emoji: ReactionEmoji;
  readonly count: number;
  /** Whether the caller is one of those who reacted. */
  readonly me: boolean;
}
export const reactionSummarySchema = assumed(
  z.looseObject({ emoji: reactionEmojiSchema, count: int32Schema, me: z.boolean() }),
  'the fields of ReactionSummaryDto',
) satisfies z.ZodType<ReactionSummary>;

/** One emoji under a message and who gave it (ReactionUsersGroupDto; all fields assumed, another form passes through as it came). */
export interface ReactionUsersGroup {
  readonly emoji: ReactionEmoji;
  readonly users: readonly {
    readonly id: string;
    readonly username: string;
    readonly displayName: string;
  }[];
}
export const reactionUsersGroupSchema = assumed(
  z.looseObject({
    emoji: reactionEmojiSchema,
    users: z.array(z.looseObject({ id: idSchema, username: z.string(), displayName: z.string() })),
  }),
  'the fields of ReactionUsersGroupDto',
) satisfies z.ZodType<ReactionUsersGroup>;

/** Names the emoji of a reaction: exactly one of the two carries a value, and both keys are always sent. */
export interface ReactionMutationRequest {
  readonly unicodeEmoji: string | null;
  readonly customEmojiId: string | null;
}
export const reactionMutationRequestSchema = z
  .looseObject({ unicodeEmoji: z.string().min(1).nullable(), customEmojiId: idSchema.nullable() })
  .refine((body) => (body.unicodeEmoji === null) !== (body.customEmojiId === null), {
    error: 'exactly one of unicodeEmoji and customEmojiId carries a value',
    path: ['unicodeEmoji'],
  }) satisfies z.ZodType<ReactionMutationRequest>;

/** The reactions of a message after a change (MessageReactionUpdateDto). */
export interface MessageReactionUpdate {
  readonly channelId: string;
  readonly messageId: string;
  readonly reactions: readonly ReactionSummary[];
}
export const messageReactionUpdateSchema = z.looseObject({
  channelId: idSchema,
  messageId: idSchema,
  reactions: z.array(assumedPart(reactionSummarySchema)),
}) satisfies z.ZodType<MessageReactionUpdate>;

/** The reactions of a message with those who gave them (MessageReactionDetailsDto). */
export interface MessageReactionDetails {
  readonly channelId: string;
  readonly messageId: string;
  readonly reactions: readonly ReactionUsersGroup[];
}
export const messageReactionDetailsSchema = z.looseObject({
  channelId: idSchema,
  messageId: idSchema,
  reactions: z.array(assumedPart(reactionUsersGroupSchema)),
}) satisfies z.ZodType<MessageReactionDetails>;

/** Narrows a reading of reactions to one emoji (query of endpoints 13 and 14). */
export interface ReactionQuery {
  readonly unicodeEmoji?: string | undefined;
  readonly customEmojiId?: string | undefined;
}
export const reactionQuerySchema = z.looseObject({
  unicodeEmoji: z.string().optional(),
  customEmojiId: idSchema.optional(),
}) satisfies z.ZodType<ReactionQuery>;
