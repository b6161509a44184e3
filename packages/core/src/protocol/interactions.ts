// Source: Bot Interface, "Request bodies", endpoints 27 to 31 and the user's command endpoint.
import * as z from 'zod';
import {
  contentSchema,
  createBotMessageRequestSchema,
  type CreateBotMessageRequest,
} from './messages.js';

/** Body of endpoints 29 and 31. The key `content` is always sent. */
export interface InteractionResponseRequest extends Omit<CreateBotMessageRequest, 'content'> {
  /** Null only with attachments (this meaning of null is assumed). */
  readonly content: string | null;
}
export const interactionResponseRequestSchema = createBotMessageRequestSchema
  .extend({
    content: contentSchema.nullable(),
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
