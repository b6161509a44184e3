// Source: Bot Interface, "Upload session", "Attachment access URL", "Request bodies".
import * as z from 'zod';
import { dateTimeSchema, idSchema, int64Schema, type FieldsOf } from './values.js';

/** Body of endpoint 19. */
export interface CreateUploadSessionRequest extends FieldsOf<
  typeof createUploadSessionRequestSchema
> {}
export const createUploadSessionRequestSchema = z.looseObject({
  fileName: z.string().min(1),
  contentType: z.string().min(1),
  /** Size of the file in bytes. */
  size: int64Schema.min(0),
});

/** The target of the upload of one file (MessageAttachmentUploadSessionDto). */
export interface UploadSession extends FieldsOf<typeof uploadSessionSchema> {}
export const uploadSessionSchema = z.looseObject({
  uploadUrl: z.string(),
  /** Identifies the uploaded file in `attachments` of a message. */
  objectKey: z.string(),
  publicUrl: z.string(),
  /** Form fields for a multipart POST; if empty, the file is sent by PUT (this choice is assumed). */
  fields: z.record(z.string(), z.unknown()),
  expiresAt: dateTimeSchema,
  /** Maximum size of the file, in bytes. */
  maxBytes: int64Schema,
});

/** A short-lived download URL (MessageAttachmentAccessUrlDto). Request one when needed; do not store it. */
export interface AttachmentAccessUrl extends FieldsOf<typeof attachmentAccessUrlSchema> {}
export const attachmentAccessUrlSchema = z.looseObject({
  attachmentId: idSchema,
  url: z.string(),
  expiresAt: dateTimeSchema,
});
