import type { Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { MessageAttachmentDraft, UploadSession } from '@virgule/core/protocol';
import { onAbort } from '../call/on-abort.js';
import { clientErrors } from '../errors/client-errors.js';
import type { ApiCall } from '../rest/api-call.js';
import type { FileCallOptions, UploadProgress } from './file-call-options.js';
import type { FileInput } from './file-input.js';
import type { FileSource } from './file-source.js';
import { readFiles } from './read-files.js';
import { asUploadError } from './upload-error.js';
import type { Uploader } from './uploader.js';

/** Which call the files belong to, and where they go. */
interface FilesOf {
  /** For errors: `messages.send`. */
  readonly endpoint: string;
  readonly channelId: string;
  /** When all has to be done: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly dueMs: number;
}

/** Uploads files and gives what a message carries for them, in the same order. */
export type FileSender = (
  files: readonly FileInput[],
  of: FilesOf,
  options: FileCallOptions,
) => Promise<MessageAttachmentDraft[]>;

export interface FileSenderOptions {
  readonly call: ApiCall;
  readonly upload: Uploader;
  readonly clock: Clock;
  readonly log: Log;
  /** Where relative paths begin. @defaultValue the working directory */
  readonly root?: string | undefined;
}

/** Files on their way at a time: as many as there are connections for uploads. */
const PARALLEL = 4;

/** What the storage answers when a session's time is over. */
const EXPIRED_STATUSES: ReadonlySet<unknown> = new Set([403, 410]);

/** The session's time is over, by our clock. */
class SessionExpired extends Error {}

/** One file of one call. */
interface Job {
  readonly file: FileSource;
  readonly index: number;
  readonly of: FilesOf;
  readonly signal: AbortSignal;
  readonly priority: FileCallOptions['priority'];
  readonly onProgress: FileCallOptions['onProgress'];
}

export function createFileSender(options: FileSenderOptions): FileSender {
  const { call, upload, clock, log, root } = options;
  /** One session and its upload. */
  async function tryOnce({ file, index, of, signal, priority, onProgress }: Job): Promise<string> {
    const { fileName, contentType, sizeBytes } = file;
    const remainingMs = (): number => Math.max(0, of.dueMs - clock.monotonic());
    const session = await call(
      'attachments.openUpload',
      {
        parameters: { channelId: of.channelId },
        body: { fileName, contentType, size: sizeBytes },
      },
      { signal, priority, deadlineMs: remainingMs() },
    );
    checkSize(session, sizeBytes, of.endpoint, `files[${index}]`);
    const expiresAtMs = Date.parse(session.expiresAt);
    // One that is over the moment it is opened says that our clock is wrong: then the storage judges.
    const isClockRight = clock.now() < expiresAtMs;
    await upload(session, file, {
      signal,
      priority,
      deadlineMs: remainingMs(),
      beforeTry: () => {
        if (isClockRight && clock.now() >= expiresAtMs) throw new SessionExpired();
      },
      onBytes: onProgress && ((sentBytes) => tell(onProgress, index, file, sentBytes)),
    });
    return session.objectKey;
  }

  function tell(
    onProgress: (progress: UploadProgress) => void,
    index: number,
    { fileName, sizeBytes: totalBytes }: FileSource,
    sentBytes: number,
  ): void {
    try {
      onProgress({ index, fileName, sentBytes, totalBytes });
    } catch (error) {
      log.warn({ error: String(error), fileName }, 'onProgress threw; the upload goes on.');
    }
  }

  async function sendFile(job: Job): Promise<MessageAttachmentDraft> {
    const { fileName, contentType, sizeBytes: size } = job.file;
    for (let isAgain = false; ; isAgain = true) {
      try {
        return { objectKey: await tryOnce(job), fileName, contentType, size };
      } catch (error) {
        if (isAgain || !isExpired(error)) throw asUploadError(error, fileName, job.index);
        log.info({ fileName }, 'The upload session had expired; another one is opened.');
      }
    }
  }

  return async (files, of, { signal, priority, onProgress }) => {
    const sources = await readFiles(of.endpoint, files, root);
    const drafts: MessageAttachmentDraft[] = [];
    const stop = new AbortController();
    const leave = signal && onAbort(signal, () => stop.abort(signal.reason));
    if (signal?.aborted) stop.abort(signal.reason);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < sources.length; index = next++) {
        const file = sources[index];
        if (file)
          drafts[index] = await sendFile({
            file,
            index,
            of,
            signal: stop.signal,
            priority,
            onProgress,
          });
      }
    };
    const workers = Array.from({ length: Math.min(PARALLEL, sources.length) }, work);
    try {
      await Promise.all(workers);
      return drafts;
    } finally {
      // After the first failure the others are of no use.
      next = sources.length;
      stop.abort();
      await Promise.allSettled(workers);
      leave?.();
    }
  };
}

/** @throws VirguleError `E_INVALID_CALL` when the file is larger than the session takes. */
export function checkSize(
  { maxBytes }: UploadSession,
  sizeBytes: number,
  endpoint: string,
  field: string,
): void {
  if (sizeBytes <= maxBytes) return;
  throw clientErrors.E_INVALID_CALL({
    endpoint,
    field,
    expected: `a file of ${maxBytes} bytes or less`,
    seen: `${sizeBytes} bytes`,
  });
}

function isExpired(error: unknown): boolean {
  if (error instanceof SessionExpired) return true;
  if (!isVirguleError(error, 'E_API_REFUSED')) return false;
  const { endpoint, status } = error.details;
  return endpoint === 'attachments.upload' && EXPIRED_STATUSES.has(status);
}
