// Source: Bot Interface, "Upload session", "Attachment access URL", "Request bodies".
import * as z from 'zod';
import { dateTimeSchema, idSchema, int64Schema } from './values.js';

/** Body of endpoint 19. */
export interface CreateUploadSessionRequest {
  readonly fileName: string;
  readonly contentType: string;
  /** Size of the file in bytes. */
  readonly size: number;
}
export const createUploadSessionRequestSchema = z.looseObject({
  fileName: z.string().min(1),
  contentType: z.string().min(1),
  size: int64Schema.min(0),
}) satisfies z.ZodType<CreateUploadSessionRequest>;

/** Where and how to upload one file (MessageAttachmentUploadSessionDto). */
export interface UploadSession {
  readonly uploadUrl: string;
  /** Goes into `attachments` of the message once the upload is done. */
  readonly objectKey: string;
  readonly publicUrl: string;
  /** Form fields for a multipart POST; when empty, the file is sent by PUT (which of the two is assumed). */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly expiresAt: string;
  /** The largest file this session takes, in bytes. */
  readonly maxBytes: number;
}
export const uploadSessionSchema = z.looseObject({
  uploadUrl: z.string(),
  objectKey: z.string(),
  publicUrl: z.string(),
  fields: z.record(z.string(), z.unknown()),
  expiresAt: dateTimeSchema,
  maxBytes: int64Schema,
}) satisfies z.ZodType<UploadSession>;

/** A short-lived download address (MessageAttachmentAccessUrlDto). Ask for one when needed; do not store it. */
export interface AttachmentAccessUrl {
  readonly attachmentId: string;
  readonly url: string;
  readonly expiresAt: string;
}
export const attachmentAccessUrlSchema = z.looseObject({
  attachmentId: idSchema,
  url: z.string(),
  expiresAt: dateTimeSchema,
}) satisfies z.ZodType<AttachmentAccessUrl>;
