import type {
  AttachmentAccessUrl,
  CreateUploadSessionRequest,
  UploadSession,
} from '@virgule/core/protocol';
import type { UploadFile, Uploader } from '../upload/uploader.js';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/** Calls about files. To send one: `openUpload`, `upload`, then a message with the session's `objectKey`. */
export interface AttachmentCalls {
  /** A download address of a file. It lives until `expiresAt`: ask when needed, do not store it (Bot Interface, Endpoints #18). */
  accessUrl(
    channelId: string,
    messageId: string,
    attachmentId: string,
    options?: CallOptions,
  ): Promise<AttachmentAccessUrl>;
  /** Opens a session for one file of `size` bytes (#19). */
  openUpload(
    channelId: string,
    body: CreateUploadSessionRequest,
    options?: CallOptions,
  ): Promise<UploadSession>;
  /**
   * Sends the bytes to the session's `uploadUrl`, without the bot token: as a multipart POST with
   * the session's `fields`, or by PUT when it has none (which of the two is assumed). Unless
   * `options` says otherwise it may take ten times as long as another call.
   */
  upload(session: UploadSession, file: UploadFile, options?: CallOptions): Promise<void>;
}

export function createAttachmentCalls(call: ApiCall, upload: Uploader): AttachmentCalls {
  return {
    accessUrl: (channelId, messageId, attachmentId, options) =>
      call(
        'attachments.accessUrl',
        { parameters: { channelId, messageId, attachmentId } },
        options,
      ),
    openUpload: (channelId, body, options) =>
      call('attachments.openUpload', { parameters: { channelId }, body }, options),
    upload,
  };
}
