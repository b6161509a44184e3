// Source: Bot Interface, "Message", "Message page", "Message context", "Request bodies".
import * as z from 'zod';
import type { Profile } from './profile.js';
import { assumed, assumedPart } from './assumed.js';
import { CONTENT_MAX_LENGTH, CONTENT_MIN_LENGTH, PAGE_DEFAULTS } from './limits.js';
import { reactionSummarySchema, type ReactionSummary } from './reactions.js';
import {
  dateTimeSchema,
  idSchema,
  int32Schema,
  int64Schema,
  nullableField,
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
export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorUsername: string;
  readonly authorDisplayName: string;
  readonly authorAvatarUrl: string | null;
  readonly replyTo: Readonly<Record<string, unknown>> | null;
  readonly content: string;
  readonly attachments: readonly MessageAttachment[];
  readonly linkPreview: Readonly<Record<string, unknown>> | null;
  readonly reactions: readonly ReactionSummary[];
  readonly poll: Readonly<Record<string, unknown>> | null;
  readonly forwardedFrom: Readonly<Record<string, unknown>> | null;
  readonly editedAt: string | null;
  readonly pinnedAt: string | null;
  readonly pinnedByUserId: string | null;
  readonly isDeleted: boolean;
  readonly createdAt: string;
}

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
}) satisfies z.ZodType<Message>;

/** A page of the messages of a channel, newest first (the order is assumed) (MessagePageDto). */
export interface MessagePage {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  /** The value of `before` for the next older page; null when the page is empty. */
  readonly oldestId: string | null;
}
export const messagePageSchema = z.looseObject({
  messages: z.array(messageSchema),
  hasMore: z.boolean(),
  oldestId: nullableField(idSchema),
}) satisfies z.ZodType<MessagePage>;

/** A message with the messages before and after it (MessageContextDto). */
export interface MessageContext {
  readonly serverId: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}
export const messageContextSchema = z.looseObject({
  serverId: idSchema,
  channelId: idSchema,
  messageId: idSchema,
  messages: z.array(messageSchema),
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
}) satisfies z.ZodType<MessageContext>;

/** Message content: 1 to 2000 characters, counted in UTF-16 code units (the unit is assumed). */
export const contentSchema = z
  .string()
  .min(CONTENT_MIN_LENGTH)
  // zod's max() counts code points.
  .check(({ value, issues }) => {
    if (value.length <= CONTENT_MAX_LENGTH) return;
    issues.push({
      code: 'too_big',
      origin: 'string',
      maximum: CONTENT_MAX_LENGTH,
      inclusive: true,
      input: value,
    });
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
export interface CreateBotMessageRequest {
  readonly content: string;
  readonly replyToMessageId?: string | null | undefined;
  readonly attachments?: readonly MessageAttachmentDraft[] | null | undefined;
}
export const createBotMessageRequestSchema = z.looseObject({
  content: contentSchema,
  replyToMessageId: idSchema.nullish(),
  attachments: z.array(messageAttachmentDraftSchema).nullish(),
}) satisfies z.ZodType<CreateBotMessageRequest>;

/** Body of endpoints 9 and 30. An edit cannot have files. */
export interface EditMessageRequest extends FieldsOf<typeof editMessageRequestSchema> {}
export const editMessageRequestSchema = z.looseObject({
  content: contentSchema,
  suppressLinkPreview: z.boolean().optional(),
});

/** Query of endpoint 5. */
export interface MessagePageQuery {
  /** Returns only messages that are older than the message with this id. */
  readonly before?: string | undefined;
  /** Maximum number of messages. @defaultValue 50 */
  readonly limit?: number | undefined;
}
export const messagePageQuerySchema = z.looseObject({
  before: idSchema.optional(),
  limit: int32Schema.min(1).default(PAGE_DEFAULTS.limit),
});

/** Query of endpoint 10. */
export interface MessageContextQuery {
  /** Number of messages before the requested one. @defaultValue 25 */
  readonly before?: number | undefined;
  /** Number of messages after the requested one. @defaultValue 25 */
  readonly after?: number | undefined;
}
export const messageContextQuerySchema = z.looseObject({
  before: int32Schema.min(0).default(PAGE_DEFAULTS.before),
  after: int32Schema.min(0).default(PAGE_DEFAULTS.after),
});

const MESSAGE_FIELDS = [...Object.keys(messageSchema.shape), 'serverId'];

/** Returns the form of the body of an endpoint that writes a message, as a profile has it. */
export function messageFormOf(body: unknown): Profile['messageResponse'] {
  const keys = Object.keys(Object(body));
  if (!keys.every((key) => MESSAGE_FIELDS.includes(key))) return 'unknown-fields';
  if (body === undefined) return 'empty';
  return keys.join('') === 'id' ? 'id' : 'message';
}

/** Returns the form of the payload of MESSAGE_CREATE, as a profile has it. */
export function messageEventOf(event: unknown): Profile['messageEvent'] {
  if (messageFormOf(event) === 'unknown-fields') return 'unknown-fields';
  return 'serverId' in Object(event) ? 'with-server-id' : 'without-server-id';
}
