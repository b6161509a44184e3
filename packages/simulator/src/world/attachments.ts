import {
  UPLOAD_LIFETIME_MS,
  type CreateUploadSessionRequest,
  type MessageAttachmentDraft,
} from '@virgule/core/protocol';
import { deriveId, deriveSecret } from './derive.js';
import { invalid, notFound, Refusal, requireLength, tooLarge } from './refusal.js';
import type { AttachmentRecord, ChannelRecord, UploadRecord } from './state.js';
import type { World } from './world.js';

/** Maximum size of all files together, in bytes. */
const MAX_STORAGE_BYTES = 256 * 1024 * 1024;

/** Maximum length of a file name and of a content type, in UTF-16 code units. */
const MAX_NAME_LENGTH = 255;

/** Maximum number of open upload sessions. */
const MAX_SESSIONS = 1_000;

export function openUpload(world: World, channel: ChannelRecord, file: CreateUploadSessionRequest) {
  const { uploadMaxBytes } = world.profile;
  if (file.size > uploadMaxBytes)
    throw invalid('size', `A file can have at most ${uploadMaxBytes} bytes.`);
  if (world.state.uploads.size >= MAX_SESSIONS)
    throw storageFull(`${MAX_SESSIONS} upload sessions are open.`);
  const upload: UploadRecord = {
    objectKey: `uploads/${world.nextId('upload')}`,
    channelId: channel.id,
    ...namesOf(file),
    expiresAtMs: world.clock.now() + UPLOAD_LIFETIME_MS,
    sizeBytes: null,
  };
  world.emit({ type: 'upload.opened', upload });
  return upload;
}

/** Opens a session and stores the bytes in it: the client of a user does both in one request. */
export function uploadFile(
  world: World,
  channel: ChannelRecord,
  { bytes, ...names }: Pick<UploadRecord, 'fileName' | 'contentType'> & { readonly bytes: Buffer },
): UploadRecord {
  const upload = openUpload(world, channel, { ...names, size: bytes.length });
  try {
    storeUpload(world, upload, bytes);
  } catch (error) {
    expireUpload(world, upload.objectKey);
    throw error;
  }
  return upload;
}

/** Returns the form fields that an upload by POST must contain; they authenticate the owner of the session. */
export function uploadFields(world: World, upload: UploadRecord): Record<string, string> {
  if (world.profile.uploadMethod === 'PUT') return {};
  return {
    key: upload.objectKey,
    signature: deriveSecret(world.seed, `upload:${upload.objectKey}`),
  };
}

/** Returns an upload session that accepts bytes. */
export function openSession(world: World, objectKey: string): UploadRecord {
  const upload = world.state.uploads.get(objectKey);
  if (upload !== undefined) return upload;
  const message = 'The upload session has expired or does not exist.';
  throw new Refusal(410, 'sim_upload_expired', message);
}

export function storeUpload(world: World, upload: UploadRecord, bytes: Buffer): void {
  if (bytes.length > world.profile.uploadMaxBytes) throw tooLarge(world.profile.uploadMaxBytes);
  // A file that the new one replaces does not count.
  let total = bytes.length - (world.blobs.get(upload.objectKey)?.length ?? 0);
  for (const blob of world.blobs.values()) total += blob.length;
  if (total > MAX_STORAGE_BYTES)
    throw storageFull(`All files together can have at most ${MAX_STORAGE_BYTES} bytes.`);
  world.blobs.set(upload.objectKey, bytes);
  world.emit({ type: 'upload.stored', upload: { ...upload, sizeBytes: bytes.length } });
}

/** Deletes an upload session that no message used in time, with its bytes. */
export function expireUpload(world: World, objectKey: string): void {
  if (!world.state.uploads.has(objectKey)) return;
  world.blobs.delete(objectKey);
  world.emit({ type: 'upload.expired', objectKey });
}

/** Returns the files of a message for the keys of complete uploads. A key is valid for one message (assumed). */
export function takeAttachments(
  world: World,
  channel: ChannelRecord,
  drafts: readonly MessageAttachmentDraft[],
): AttachmentRecord[] {
  if (drafts.length === 0) return [];
  const { profile, state } = world;
  if (drafts.length > profile.attachmentsMax)
    throw invalid('attachments', `A message can have at most ${profile.attachmentsMax} files.`);
  if (new Set(drafts.map((draft) => draft.objectKey)).size < drafts.length)
    throw invalid('attachments', 'A file can be attached only once.');
  return drafts.map(({ objectKey, fileName, contentType }) => {
    const upload = state.uploads.get(objectKey);
    if (upload === undefined || upload.channelId !== channel.id || upload.sizeBytes === null) {
      const message = `No file was uploaded for ${channel.name} with the key ${objectKey}.`;
      throw invalid('attachments', message);
    }
    return {
      id: attachmentId(world, objectKey),
      objectKey,
      ...namesOf({
        fileName: fileName ?? upload.fileName,
        contentType: contentType ?? upload.contentType,
      }),
      sizeBytes: upload.sizeBytes,
    };
  });
}

function namesOf(file: Pick<UploadRecord, 'fileName' | 'contentType'>) {
  return {
    fileName: requireLength('fileName', file.fileName, MAX_NAME_LENGTH),
    contentType: requireLength('contentType', file.contentType, MAX_NAME_LENGTH),
  };
}

/** Returns the id of an uploaded file as an attachment of a message. */
export const attachmentId = (world: World, objectKey: string): string =>
  deriveId(world.seed, `attachment:${objectKey}`);

/** Returns the file that was uploaded with a key, before and after a message has the file. */
export function publicBytes(world: World, objectKey: string): StoredFile {
  const upload = world.state.uploads.get(objectKey);
  const bytes = upload && world.blobs.get(objectKey);
  if (upload !== undefined && bytes !== undefined) return { attachment: upload, bytes };
  return attachmentBytes(world, attachmentId(world, objectKey));
}

/** Returns the signature of a download URL and its expiry. */
export const downloadSignature = (world: World, id: string, expiresAtMs: number): string =>
  deriveSecret(world.seed, `download:${id}:${expiresAtMs}`);

export interface StoredFile {
  readonly attachment: Pick<AttachmentRecord, 'fileName' | 'contentType'>;
  readonly bytes: Buffer;
}

/** Returns a file of a message that is not deleted, with its bytes. */
export function attachmentBytes(world: World, id: string): StoredFile {
  const message = world.state.messages.get(world.state.attachmentMessages.get(id) ?? '');
  const attachment = message?.attachments.find((each) => each.id === id);
  const bytes = attachment && world.blobs.get(attachment.objectKey);
  if (attachment === undefined || bytes === undefined) throw notFound('attachment', id);
  return { attachment, bytes };
}

const storageFull = (message: string): Refusal => new Refusal(507, 'sim_storage_full', message);
