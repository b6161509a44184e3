import { isObject } from '@virgule/core/objects';
import { ENDPOINTS } from '@virgule/core/protocol';
import type { Accepted } from '../request/caller.js';
import type { FileCallOptions } from '../upload/files.js';
import { bytesInPieces } from '../upload/read-files.js';
import type { FileSender } from '../upload/send-files.js';
import type { Uploader } from '../upload/uploader.js';
import type { Api } from './api.js';
import type { AttachmentCalls } from './attachments.js';
import { checkFiles, checkInput, checkOptions } from './check-input.js';
import type { InteractionBody, InteractionFilesBody } from './interactions.js';
import type { MessageBody } from './messages.js';
import type { RestSettings } from './rest-options.js';

type Name = 'messages.send' | 'interactions.respond' | 'interactions.followUp';

type Parameters = Readonly<Record<string, string>>;

type FilesBody = MessageBody & Partial<InteractionFilesBody>;

export type SendWithFiles = ReturnType<typeof createSendWithFiles>;

export function createSendWithFiles(
  { clock, token, uploadDeadlineMs }: RestSettings,
  api: Api,
  sendFiles: FileSender,
) {
  async function sendFilesFirst(
    name: Name,
    parameters: Parameters,
    { files = [], channelId: ofCommand, ...rest }: FilesBody,
    options: FileCallOptions = {},
  ): Promise<Accepted> {
    checkOptions(name, options);
    checkFiles(name, files);
    const isAnswer = name !== 'messages.send';
    const channelId = (isAnswer ? ofCommand : parameters['channelId']) ?? '';
    // In an answer, null means no text.
    const message = isAnswer ? { ...rest, content: rest.content || null } : rest;
    const attaching = (drafts: readonly unknown[]) => ({
      parameters,
      body: { ...message, attachments: [...(rest.attachments ?? []), ...drafts] },
    });
    // Before anything is uploaded for it.
    const input = { ...attaching(files), parameters: { ...parameters, channelId } };
    checkInput(ENDPOINTS[name], input, token);
    const { signal, priority, onRetry, deadlineMs = uploadDeadlineMs } = options;
    const dueMs = clock.monotonic() + deadlineMs;
    const drafts = await sendFiles(files, { endpoint: name, channelId, dueMs, isAnswer }, options);
    const leftMs = Math.max(0, dueMs - clock.monotonic());
    return api.send(name, attaching(drafts), { signal, priority, onRetry, deadlineMs: leftMs });
  }

  /** Sends a message or an answer: files first, then what carries them. */
  return (
    name: Name,
    parameters: Parameters,
    body: MessageBody | InteractionBody,
    options: FileCallOptions | undefined,
  ): Promise<Accepted> =>
    isObject(body) && 'files' in body && body.files
      ? // The checks find what is missing or invalid in it.
        sendFilesFirst(name, parameters, body as FilesBody, options)
      : api.send(name, { parameters, body }, options);
}

export function createUploadCalls(
  { clock, uploadDeadlineMs }: RestSettings,
  upload: Uploader,
  sendFiles: FileSender,
): Pick<AttachmentCalls, 'upload' | 'uploadAll'> {
  const endpoint = 'attachments.upload';
  return {
    async upload(session, { fileName, contentType, bytes }, options = {}) {
      checkOptions(endpoint, options);
      const { signal, priority, onRetry, deadlineMs = uploadDeadlineMs } = options;
      const sizeBytes = bytes.byteLength;
      const file = { fileName, contentType, sizeBytes, open: () => bytesInPieces(bytes) };
      const sendOptions = { signal, priority, onRetry, deadlineMs };
      await upload(session, file, { endpoint, field: 'bytes', ...sendOptions });
    },
    async uploadAll(channelId, files, options = {}) {
      checkOptions(endpoint, options);
      checkFiles(endpoint, files);
      const dueMs = clock.monotonic() + (options.deadlineMs ?? uploadDeadlineMs);
      return sendFiles(files, { endpoint, channelId, dueMs }, options);
    },
  };
}
