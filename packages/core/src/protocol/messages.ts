// Source: Bot Interface, "Message", "Message page", "Message context", "Request bodies".
import * as z from 'zod';
import { assumed, assumedPart } from './assumed.js';
import { CONTENT_MAX_LENGTH, CONTENT_MIN_LENGTH, PAGE_DEFAULTS } from './limits.js';
import { reactionSummarySchema } from './reactions.js';
import {
  dateTimeSchema,
  idSchema,
  int32Schema,
  int64Schema,
  nullableField,
  type Fields,
  type FieldsOf,
} from './values.js';

/** A file on a message (MessageAttachmentDto; all fields assumed, other forms pass through unchanged). */
export interface MessageAttachment extends FieldsOf<typeof messageAttachmentSchema> {}
export const messageAttachmentSchema = assumed(
  z.looseObject({
    id: idSchema,
    fileName: z.string(),
    contentType: z.string(),
    size: int64Schema,
    url: z.string().optional(),
  }),
  'the fields of MessageAttachmentDto',
);

/** A message in a channel (MessageDto). The fields of `replyTo`, `linkPreview`, `poll` and `forwardedFrom` are not specified. */
export interface Message extends FieldsOf<typeof messageSchema> {}

/** Specified as an object; null and absence are assumed. */
const innerObjectSchema = assumed(
  nullableField(z.record(z.string(), z.unknown())),
  'null or absent when the message has none',
);

export const messageSchema = z.looseObject({
  id: idSchema,
  channelId: idSchema,
  authorId: idSchema,
  authorUsername: z.string(),
  authorDisplayName: z.string(),
  authorAvatarUrl: nullableField(z.string()),
  replyTo: innerObjectSchema,
  content: z.string(),
  attachments: z.array(assumedPart(messageAttachmentSchema)),
  linkPreview: innerObjectSchema,
  reactions: z.array(assumedPart(reactionSummarySchema)),
  poll: innerObjectSchema,
  forwardedFrom: innerObjectSchema,
  editedAt: nullableField(dateTimeSchema),
  pinnedAt: nullableField(dateTimeSchema),
  pinnedByUserId: nullableField(idSchema),
  isDeleted: z.boolean(),
  createdAt: dateTimeSchema,
});

/** A page of the messages of a channel, newest first (the order is assumed) (MessagePageDto). */
export interface MessagePage extends FieldsOf<typeof messagePageSchema> {}
export const messagePageSchema = z.looseObject({
  messages: z.array(messageSchema),
  hasMore: z.boolean(),
  /** The value of `before` for the next older page; null when the page is empty. */
  oldestId: nullableField(idSchema),
});

/** A message with the messages before and after it (MessageContextDto). */
export interface MessageContext extends FieldsOf<typeof messageContextSchema> {}
export const messageContextSchema = z.looseObject({
  serverId: idSchema,
  channelId: idSchema,
  messageId: idSchema,
  messages: z.array(messageSchema),
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
});

/** Message content: 1 to 2000 characters, counted in UTF-16 code units (the unit is assumed). */
export const contentSchema = z
  .string()
  .min(CONTENT_MIN_LENGTH)
  // zod's max() counts code points.
  .check(({ value, issues }) => {
    const maximum = CONTENT_MAX_LENGTH;
    if (value.length <= maximum) return;
    issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: value });
  });

/** An uploaded file to send with a message (MessageAttachmentDraftRequest; all fields but `objectKey` are assumed). */
export interface MessageAttachmentDraft extends FieldsOf<typeof messageAttachmentDraftSchema> {}
export const messageAttachmentDraftSchema = assumed(
  z.looseObject({
    /** `objectKey` of the upload session. */
    objectKey: z.string().min(1),
    fileName: z.string().optional(),
    contentType: z.string().optional(),
    size: int64Schema.optional(),
  }),
  'the fields of MessageAttachmentDraftRequest',
);

/** Body of endpoint 6. */
export interface CreateBotMessageRequest extends FieldsOf<typeof createBotMessageRequestSchema> {}
export const createBotMessageRequestSchema = z.looseObject({
  content: contentSchema,
  replyToMessageId: idSchema.nullish(),
  attachments: z.array(messageAttachmentDraftSchema).nullish(),
});

/** Body of endpoints 9 and 30. An edit cannot have files. */
export interface EditMessageRequest extends FieldsOf<typeof editMessageRequestSchema> {}
export const editMessageRequestSchema = z.looseObject({
  content: contentSchema,
  suppressLinkPreview: z.boolean().optional(),
});

/** Query of endpoint 5. */
export interface MessagePageQuery extends Fields<z.input<typeof messagePageQuerySchema>> {}
export const messagePageQuerySchema = z.looseObject({
  /** Returns only messages that are older than the message with this id. */
  before: idSchema.optional(),
  /** Maximum number of messages. @defaultValue 50 */
  limit: int32Schema.min(1).default(PAGE_DEFAULTS.limit),
});

/** Query of endpoint 10. */
export interface MessageContextQuery extends Fields<z.input<typeof messageContextQuerySchema>> {}
export const messageContextQuerySchema = z.looseObject({
  /** Number of messages before the requested one. @defaultValue 25 */
  before: int32Schema.min(0).default(PAGE_DEFAULTS.before),
  /** Number of messages after the requested one. @defaultValue 25 */
  after: int32Schema.min(0).default(PAGE_DEFAULTS.after),
});
