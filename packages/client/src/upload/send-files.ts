import { linkSignals, onAbort } from '@virgule/core/abort';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { MessageAttachmentDraft, UploadSession } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { SendOptions } from '../request/call.js';
import type { Api } from '../rest/api.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { FileCallOptions, FileInput, FileSource } from './files.js';
import { readFile } from './read-files.js';
import { asUploadError, UPLOAD_ROUTE } from './upload-error.js';
import type { Uploader } from './uploader.js';

/** Which call the files belong to, and where they go. */
interface FilesOf {
  /** For errors: `messages.send`. */
  readonly endpoint: string;
  readonly channelId: string;
  /** When all has to be done: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly dueMs: number;
  /** Whether a command is answered with them: then they go before all others. */
  readonly isAnswer?: boolean | undefined;
}

export type FileSender = ReturnType<typeof createFileSender>;

export function createFileSender(settings: RestSettings, api: Api, upload: Uploader) {
  const { clock, log, closing, filesRoot: root } = settings;

  /** Reads the files; streams are read until the call's deadline, its signal or `close()` ends it. */
  async function read(
    files: readonly FileInput[],
    { endpoint, dueMs }: FilesOf,
    signal: AbortSignal | undefined,
  ): Promise<FileSource[]> {
    const startMs = clock.monotonic();
    const stop = new AbortController();
    const details = () => {
      const elapsedMs = Math.round(clock.monotonic() - startMs);
      const facts = { endpoint, route: UPLOAD_ROUTE, attempts: 0, elapsedMs };
      return { ...facts, phase: 'waiting', maybeSent: false } as const;
    };
    const leaves = [
      onAbort(closing, () => stop.abort(clientErrors.E_SHUTTING_DOWN(details()))),
      signal &&
        onAbort(signal, (cause) => stop.abort(clientErrors.E_ABORTED(details(), { cause }))),
    ];
    const expire = (): void => stop.abort(clientErrors.E_TIMEOUT(details()));
    const timer = clock.setTimeout(expire, dueMs - startMs);
    const reading = { endpoint, root, signal: stop.signal };
    try {
      return await Promise.all(files.map((file, index) => readFile(file, index, reading)));
    } finally {
      timer.cancel();
      for (const leave of leaves) leave?.();
    }
  }

  /** Opens a session and uploads a file; once more when the session's time was over. */
  async function sendFile(
    file: FileSource,
    index: number,
    { endpoint, channelId, dueMs }: FilesOf,
    more: Omit<SendOptions, 'deadlineMs'>,
    onProgress: FileCallOptions['onProgress'],
  ): Promise<MessageAttachmentDraft> {
    const { fileName, contentType, sizeBytes: size } = file;
    const sendOptions = () => ({ ...more, deadlineMs: Math.max(0, dueMs - clock.monotonic()) });
    const warn = (error: unknown): void =>
      log.warn({ error: errorText(error), fileName }, 'onProgress threw; the upload continues');
    // Async: what it throws and what it rejects with is the same.
    const report = async (sentBytes: number) =>
      onProgress?.({ index, fileName, sentBytes, totalBytes: size });
    const input = { parameters: { channelId }, body: { fileName, contentType, size } };
    for (let isAgain = false; ; isAgain = true) {
      try {
        const session: UploadSession = await api.call(
          'attachments.openUpload',
          input,
          sendOptions(),
        );
        await upload(session, file, {
          ...sendOptions(),
          endpoint,
          field: `files[${index}]`,
          onBytes: (sentBytes) => void report(sentBytes).catch(warn),
        });
        return { objectKey: session.objectKey, fileName, contentType, size };
      } catch (error) {
        if (isAgain || !isExpired(error)) throw asUploadError(error, fileName, index);
        log.info({ fileName }, 'the upload session expired; opening another one');
      }
    }
  }

  /** Uploads files and returns what a message carries for them, in the same order. */
  return async (
    files: readonly FileInput[],
    of: FilesOf,
    { signal, priority, onRetry, onProgress }: FileCallOptions,
  ): Promise<MessageAttachmentDraft[]> => {
    const sources = await read(files, of, signal);
    const stop = linkSignals(signal);
    const more = {
      signal: stop.signal,
      priority: of.isAnswer ? 'interaction' : priority,
      onRetry,
    } as const;
    // All at once: the queue lets as many through as there are connections to one storage.
    const sending = sources.map((file, index) => sendFile(file, index, of, more, onProgress));
    try {
      return await Promise.all(sending);
    } finally {
      // After the first failure the others are of no use.
      stop.abort();
      await Promise.allSettled(sending);
      stop.unlink();
    }
  };
}

/** Whether the storage answered that the session's time is over. */
function isExpired(error: unknown): boolean {
  if (!isVirguleError(error, 'E_API_REFUSED')) return false;
  const { endpoint, status } = error.details;
  return endpoint === 'attachments.upload' && (status === 403 || status === 410);
}
