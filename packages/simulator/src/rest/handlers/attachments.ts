// Endpoints 18 and 19. server/files-api.ts transfers the bytes.
import {
  UPLOAD_LIFETIME_MS,
  type AttachmentAccessUrl,
  type UploadSession,
} from '@virgule/core/protocol';
import { requireKind } from '../../world/access.js';
import { downloadSignature, openUpload, uploadFields } from '../../world/attachments.js';
import { isoTime } from '../../world/iso-time.js';
import { notFound } from '../../world/refusal.js';
import { channelOf, messageOf, parameter, type Call, type Handlers } from '../call.js';

export const attachmentHandlers = {
  'attachments.accessUrl': (call) => accessUrl(call),
  'attachments.openUpload': (call) => uploadSession(call),
} satisfies Partial<Handlers>;

function accessUrl(call: Call<'attachments.accessUrl'>): AttachmentAccessUrl {
  const { world, origin } = call;
  const attachmentId = parameter(call, 'attachmentId');
  const { message } = messageOf(call);
  if (!message.attachments.some(({ id }) => id === attachmentId)) {
    throw notFound('attachment', attachmentId);
  }
  const expiresAtMs = world.clock.now() + UPLOAD_LIFETIME_MS;
  const query = new URLSearchParams({
    expires: String(expiresAtMs),
    signature: downloadSignature(world, attachmentId, expiresAtMs),
  });
  return {
    attachmentId,
    url: `${origin}/_files/attachments/${attachmentId}?${query.toString()}`,
    expiresAt: isoTime(expiresAtMs),
  };
}

function uploadSession(call: Call<'attachments.openUpload'>): UploadSession {
  const { world, origin, body } = call;
  const channel = channelOf(call);
  requireKind(world, channel, 'text');
  const upload = openUpload(world, channel, body);
  return {
    uploadUrl: `${origin}/_files/${upload.objectKey}`,
    objectKey: upload.objectKey,
    publicUrl: `${origin}/_files/${upload.objectKey}`,
    fields: uploadFields(world, upload),
    expiresAt: isoTime(upload.expiresAtMs),
    maxBytes: world.profile.uploadMaxBytes,
  };
}
