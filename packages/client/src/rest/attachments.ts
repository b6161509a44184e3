import type {
  AttachmentAccessUrl,
  CreateUploadSessionRequest,
  MessageAttachmentDraft,
  UploadSession,
} from '@virgule/core/protocol';
import type { FileInput } from '../upload/files.js';
import type { CallOptions } from './rest-options.js';

/** A file to upload. */
export interface UploadFile {
  /** Name that others see. */
  readonly fileName: string;
  /** Media type, `image/png`. */
  readonly contentType: string;
  /** The whole file. */
  readonly bytes: Uint8Array;
}

/** Options of `attachments.download`. */
export interface DownloadOptions extends Pick<CallOptions, 'signal' | 'deadlineMs'> {
  /** Maximum size of the file, in bytes, checked while it is read. @defaultValue 10 MiB */
  readonly maxBytes?: number | undefined;
  /** Content types that are accepted, in lower case, such as `['text/plain', 'image/*']`. @defaultValue any */
  readonly types?: readonly string[] | undefined;
  /**
   * Further hosts to download from, with their port unless it is the default one. One with a port, also the default one, may
   * have a private address. @defaultValue none
   */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * Calls about files. To send some with a message, pass `files` to `messages.send`: it makes these
 * calls itself. By hand: `openUpload`, `upload`, then a message with the session's `objectKey`.
 */
export interface AttachmentCalls {
  /** A download address of a file. It lives until `expiresAt`: ask when needed, do not store it (Bot Interface, Endpoints #18). */
  accessUrl(
    channelId: string,
    messageId: string,
    attachmentId: string,
    options?: CallOptions,
  ): Promise<AttachmentAccessUrl>;
  /**
   * Returns whether a string is the URL of a file that `download` accepts: `http:` or `https:`, and of the origin of
   * `baseUrl`, of a host that an answer of #18 or #19 named to this client, or of `hosts`.
   */
  isFileUrl(url: string, hosts?: readonly string[]): boolean;
  /**
   * Downloads a file, without the bot token. The URL may come from a user: it must be one that `isFileUrl` accepts, as
   * must be each of up to 3 redirects, and only the origin of `baseUrl` may have an address that is not public. Unless
   * `options` says otherwise it may take ten times as long as another call.
   *
   * @throws VirguleError `E_ATTACHMENT_REFUSED` for any other URL, and for a file that is too large, of another type, or
   * not there.
   */
  download(url: string, options?: DownloadOptions): Promise<Blob>;
  /** Opens a session for one file of `size` bytes (#19). */
  openUpload(
    channelId: string,
    body: CreateUploadSessionRequest,
    options?: CallOptions,
  ): Promise<UploadSession>;
  /**
   * Sends the bytes to the session's `uploadUrl`, without the bot token: as a multipart POST with
   * the session's `fields`, or by PUT when it has none (which of the two is assumed). Unless
   * `options` says otherwise it may take ten times as long as another call; a storage that takes no
   * byte for 60 s, or does not answer 60 s after the last one, ends it with `E_TIMEOUT` (for a large
   * file, up to 2 minutes later: its end may still be in the buffers of a slow line).
   *
   * @throws VirguleError `E_INVALID_CALL` when the file is larger than the session's `maxBytes`.
   */
  upload(session: UploadSession, file: UploadFile, options?: CallOptions): Promise<void>;
  /**
   * Uploads files for a channel, as `messages.send` does with its `files`, and returns what the
   * `attachments` of a message carry for them, in the same order (#19). It may take ten times as
   * long as another call. What happens to files that no message carries is not specified.
   *
   * @throws VirguleError `E_INVALID_CALL` when a file is missing or is larger than the platform takes,
   * `E_UPLOAD_FAILED` when one did not arrive.
   */
  uploadAll(
    channelId: string,
    files: readonly FileInput[],
    options?: CallOptions,
  ): Promise<readonly MessageAttachmentDraft[]>;
}
