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
export interface ReactionSummary extends FieldsOf<typeof reactionSummarySchema> {}
export const reactionSummarySchema = assumed(
  z.looseObject({
    emoji: reactionEmojiSchema,
    count: int32Schema,
    /** `true` if the caller reacted with this emoji. */
    me: z.boolean(),
  }),
  'the fields of ReactionSummaryDto',
);

/** An emoji of a message and the users who reacted with it (ReactionUsersGroupDto; all fields assumed, other forms pass through unchanged). */
export interface ReactionUsersGroup extends FieldsOf<typeof reactionUsersGroupSchema> {}
export const reactionUsersGroupSchema = assumed(
  z.looseObject({
    emoji: reactionEmojiSchema,
    users: z.array(z.looseObject({ id: idSchema, username: z.string(), displayName: z.string() })),
  }),
  'the fields of ReactionUsersGroupDto',
);

/** The emoji of a reaction: both keys are always sent, and exactly one value is null. */
export interface ReactionMutationRequest extends FieldsOf<typeof reactionMutationRequestSchema> {}
export const reactionMutationRequestSchema = z
  .looseObject({ unicodeEmoji: z.string().min(1).nullable(), customEmojiId: idSchema.nullable() })
  .refine((body) => (body.unicodeEmoji === null) !== (body.customEmojiId === null), {
    error: 'exactly one of unicodeEmoji and customEmojiId must be null',
    path: ['unicodeEmoji'],
  });

/** The reactions of a message after a change (MessageReactionUpdateDto). */
export interface MessageReactionUpdate extends FieldsOf<typeof messageReactionUpdateSchema> {}
export const messageReactionUpdateSchema = z.looseObject({
  channelId: idSchema,
  messageId: idSchema,
  reactions: z.array(assumedPart(reactionSummarySchema)),
});

/** The reactions of a message with their users (MessageReactionDetailsDto). */
export interface MessageReactionDetails extends FieldsOf<typeof messageReactionDetailsSchema> {}
export const messageReactionDetailsSchema = messageReactionUpdateSchema.extend({
  reactions: z.array(assumedPart(reactionUsersGroupSchema)),
});

/** Query of endpoints 13 and 14: restricts the result to one emoji. */
export interface ReactionQuery extends FieldsOf<typeof reactionQuerySchema> {}
export const reactionQuerySchema = z.looseObject({
  unicodeEmoji: z.string().optional(),
  customEmojiId: idSchema.optional(),
});
