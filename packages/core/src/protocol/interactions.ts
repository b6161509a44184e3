// Source: Bot Interface, "Request bodies", endpoints 27 to 31 and the user's command endpoint.
import * as z from 'zod';
import {
  contentSchema,
  messageAttachmentDraftSchema,
  type MessageAttachmentDraft,
} from './messages.js';
import { idSchema } from './values.js';

/** Body of endpoints 29 and 31. The key `content` is always sent. */
export interface InteractionResponseRequest {
  /** Null only with attachments (this meaning of null is assumed). */
  readonly content: string | null;
  readonly replyToMessageId?: string | null | undefined;
  readonly attachments?: readonly MessageAttachmentDraft[] | null | undefined;
}
export const interactionResponseRequestSchema = z
  .looseObject({
    content: contentSchema.nullable(),
    replyToMessageId: idSchema.nullish(),
    attachments: z.array(messageAttachmentDraftSchema).nullish(),
    // Specified as part of the body and as unsupported: the field is read and has no effect.
    ephemeral: z.boolean().optional(),
  })
  .refine((body) => body.content !== null || (body.attachments ?? []).length > 0, {
    error: 'content may be null only when attachments are sent',
    path: ['content'],
  }) satisfies z.ZodType<InteractionResponseRequest>;

/** Body of the endpoint that runs a command on behalf of a user. */
export const runCommandRequestSchema = z.looseObject({
  /** The id of a registered command. */
  commandId: z.string().min(1),
  /** The line as typed: slash, name and arguments. */
  rawInput: z.string(),
});
