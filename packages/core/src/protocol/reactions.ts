// Source: Bot Interface, "Reaction bodies" and "Payload shapes".
import * as z from 'zod';
import { assumed, assumedPart } from './assumed.js';
import { idSchema, int32Schema, type FieldsOf } from './values.js';

/** The emoji of a reaction. Only the `kind` `custom` is specified; `{ kind: "unicode", unicodeEmoji }` is assumed. */
export interface ReactionEmoji extends FieldsOf<typeof reactionEmojiSchema> {}
export const reactionEmojiSchema = z.looseObject({
  kind: z.string(),
  customEmojiId: idSchema.optional(),
  customEmojiName: z.string().optional(),
  /** Assumed. */
  unicodeEmoji: assumed(z.string().optional(), 'the form of a unicode reaction'),
});

/** An emoji of a message and its number of reactions (ReactionSummaryDto; all fields assumed, other forms pass through unchanged). */
export interface ReactionSummary {
  readonly emoji: ReactionEmoji;
  readonly count: number;
  /** `true` if the caller reacted with this emoji. */
  readonly me: boolean;
}
export const reactionSummarySchema = assumed(
  z.looseObject({ emoji: reactionEmojiSchema, count: int32Schema, me: z.boolean() }),
  'the fields of ReactionSummaryDto',
) satisfies z.ZodType<ReactionSummary>;

/** An emoji of a message and the users who reacted with it (ReactionUsersGroupDto; all fields assumed, other forms pass through unchanged). */
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

/** The emoji of a reaction: both keys are always sent, and exactly one value is null. */
export interface ReactionMutationRequest extends FieldsOf<typeof reactionMutationRequestSchema> {}
export const reactionMutationRequestSchema = z
  .looseObject({ unicodeEmoji: z.string().min(1).nullable(), customEmojiId: idSchema.nullable() })
  .refine((body) => (body.unicodeEmoji === null) !== (body.customEmojiId === null), {
    error: 'exactly one of unicodeEmoji and customEmojiId must be null',
    path: ['unicodeEmoji'],
  });

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

/** The reactions of a message with their users (MessageReactionDetailsDto). */
export interface MessageReactionDetails extends Omit<MessageReactionUpdate, 'reactions'> {
  readonly reactions: readonly ReactionUsersGroup[];
}
export const messageReactionDetailsSchema = messageReactionUpdateSchema.extend({
  reactions: z.array(assumedPart(reactionUsersGroupSchema)),
}) satisfies z.ZodType<MessageReactionDetails>;

/** Query of endpoints 13 and 14: restricts the result to one emoji. */
export interface ReactionQuery extends FieldsOf<typeof reactionQuerySchema> {}
export const reactionQuerySchema = z.looseObject({
  unicodeEmoji: z.string().optional(),
  customEmojiId: idSchema.optional(),
});
