import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { MessageAttachmentDraft, UploadSession } from '@virgule/core/protocol';
import { linkSignals, onAbort } from '@virgule/core/abort';
import { clientErrors } from '../errors/client-errors.js';
import type { CallFacts } from '../errors/error-details.js';
import type { Api } from '../rest/api-call.js';
import type { PriorityClass } from '../request/priority.js';
import type { FileCallOptions, UploadProgress } from './file-call-options.js';
import type { FileInput } from './file-input.js';
import type { FileSource } from './file-source.js';
import { readFiles } from './read-files.js';
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

/** Uploads files and returns what a message carries for them, in the same order. */
export type FileSender = (
  files: readonly FileInput[],
  of: FilesOf,
  options: FileCallOptions,
) => Promise<MessageAttachmentDraft[]>;

export interface FileSenderOptions {
  readonly api: Pick<Api, 'call'>;
  readonly upload: Uploader;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the client closes. */
  readonly closing: AbortSignal;
  /** Where relative paths begin. @defaultValue the working directory */
  readonly root?: string | undefined;
}

/** Files in flight at a time: as many as there are connections to one storage. */
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
  readonly priority: PriorityClass | undefined;
  readonly onRetry: FileCallOptions['onRetry'];
  readonly onProgress: FileCallOptions['onProgress'];
}

export function createFileSender(options: FileSenderOptions): FileSender {
  const { api, upload, clock, log, closing, root } = options;

  /** One session and its upload. */
  async function tryOnce(job: Job): Promise<string> {
    const { file, index, of, signal, priority, onRetry, onProgress } = job;
    const { fileName, contentType, sizeBytes } = file;
    const remainingMs = (): number => Math.max(0, of.dueMs - clock.monotonic());
    const session = await api.call<UploadSession>(
      'attachments.openUpload',
      {
        parameters: { channelId: of.channelId },
        body: { fileName, contentType, size: sizeBytes },
      },
      { signal, priority, onRetry, deadlineMs: remainingMs() },
    );
    checkSize(session, sizeBytes, of.endpoint, `files[${index}]`);
    const expiresAtMs = Date.parse(session.expiresAt);
    // One that is over the moment it is opened says that our clock is wrong: then the storage judges.
    const isClockRight = clock.now() < expiresAtMs;
    await upload(session, file, {
      signal,
      priority,
      onRetry,
      deadlineMs: remainingMs(),
      beforeTry: () => {
        if (isClockRight && clock.now() >= expiresAtMs) throw new SessionExpired();
      },
      onBytes: onProgress && ((sentBytes) => reportProgress(onProgress, index, file, sentBytes)),
    });
    return session.objectKey;
  }

  function reportProgress(
    onProgress: (progress: UploadProgress) => void,
    index: number,
    { fileName, sizeBytes: totalBytes }: FileSource,
    sentBytes: number,
  ): void {
    try {
      onProgress({ index, fileName, sentBytes, totalBytes });
    } catch (error) {
      log.warn({ error: errorText(error), fileName }, 'onProgress threw, the upload continues');
    }
  }

  async function sendFile(job: Job): Promise<MessageAttachmentDraft> {
    const { fileName, contentType, sizeBytes: size } = job.file;
    for (let isAgain = false; ; isAgain = true) {
      try {
        return { objectKey: await tryOnce(job), fileName, contentType, size };
      } catch (error) {
        if (isAgain || !isExpired(error)) throw asUploadError(error, fileName, job.index);
        log.info({ fileName }, 'the upload session had expired, another one is opened');
      }
    }
  }

  /** Reads the files; streams are read until the call's deadline, its signal or `close()` ends it. */
  async function read(
    files: readonly FileInput[],
    { endpoint, dueMs }: FilesOf,
    signal: AbortSignal | undefined,
  ): Promise<FileSource[]> {
    const startMs = clock.monotonic();
    const stop = new AbortController();
    const facts = (): CallFacts => ({
      endpoint,
      route: UPLOAD_ROUTE,
      attempts: 0,
      elapsedMs: Math.round(clock.monotonic() - startMs),
    });
    const unsent = { phase: 'waiting', maybeSent: false } as const;
    const ends: readonly (readonly [AbortSignal | undefined, () => Error])[] = [
      [signal, () => clientErrors.E_ABORTED({ ...facts(), ...unsent }, { cause: signal?.reason })],
      [closing, () => clientErrors.E_SHUTTING_DOWN(facts())],
    ];
    const leaves = ends.map(
      ([each, toError]) => each && onAbort(each, () => stop.abort(toError())),
    );
    const timer = clock.setTimeout(
      () => stop.abort(clientErrors.E_TIMEOUT({ ...facts(), ...unsent })),
      dueMs - startMs,
    );
    try {
      return await readFiles(files, { endpoint, root, signal: stop.signal });
    } finally {
      timer.cancel();
      for (const leave of leaves) leave?.();
    }
  }

  return async (files, of, { signal, priority, onRetry, onProgress }) => {
    const sources = await read(files, of, signal);
    const drafts: MessageAttachmentDraft[] = [];
    const stop = linkSignals(signal);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < sources.length; index = next++) {
        const file = sources[index];
        if (!file) continue;
        drafts[index] = await sendFile({
          file,
          index,
          of,
          signal: stop.signal,
          priority: of.isAnswer ? 'interaction' : priority,
          onRetry,
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
      stop.unlink();
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
