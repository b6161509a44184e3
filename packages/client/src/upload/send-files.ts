import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { MessageAttachmentDraft, UploadSession } from '@virgule/core/protocol';
import { linkSignals, onAbort } from '@virgule/core/abort';
import { clientErrors } from '../errors/client-errors.js';
import type { CallFacts } from '../errors/error-details.js';
import type { Api } from '../rest/api-call.js';
import type { PriorityClass } from '../request/call.js';
import type { FileCallOptions } from './file-call-options.js';
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

/** What the storage answers when a session's time is over. */
const EXPIRED_STATUSES: ReadonlySet<unknown> = new Set([403, 410]);

type UploadSettings = Pick<FileCallOptions, 'signal' | 'onRetry' | 'onProgress'> & {
  readonly priority: PriorityClass | undefined;
};

export function createFileSender(options: FileSenderOptions): FileSender {
  const { api, upload, clock, log, closing, root } = options;

  /** One session and its upload. Returns the key of the file. */
  async function tryOnce(
    file: FileSource,
    index: number,
    { endpoint, channelId, dueMs }: FilesOf,
    { onProgress, ...settings }: UploadSettings,
  ): Promise<string> {
    const { fileName, contentType, sizeBytes } = file;
    const callOptions = () => ({
      ...settings,
      deadlineMs: Math.max(0, dueMs - clock.monotonic()),
    });
    const body = { fileName, contentType, size: sizeBytes };
    const session = await api.call<UploadSession>(
      'attachments.openUpload',
      { parameters: { channelId }, body },
      callOptions(),
    );
    checkSize(session, sizeBytes, endpoint, `files[${index}]`);
    const onBytes = (sentBytes: number): void => {
      try {
        onProgress?.({ index, fileName, sentBytes, totalBytes: sizeBytes });
      } catch (error) {
        log.warn({ error: errorText(error), fileName }, 'onProgress threw; the upload continues');
      }
    };
    await upload(session, file, { ...callOptions(), onBytes });
    return session.objectKey;
  }

  async function sendFile(
    file: FileSource,
    index: number,
    of: FilesOf,
    settings: UploadSettings,
  ): Promise<MessageAttachmentDraft> {
    const { fileName, contentType, sizeBytes: size } = file;
    for (let isAgain = false; ; isAgain = true) {
      try {
        const objectKey = await tryOnce(file, index, of, settings);
        return { objectKey, fileName, contentType, size };
      } catch (error) {
        if (isAgain || !isExpired(error)) throw asUploadError(error, fileName, index);
        log.info({ fileName }, 'the upload session expired; opening another one');
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
    const stop = linkSignals(signal);
    const settings: UploadSettings = {
      signal: stop.signal,
      priority: of.isAnswer ? 'interaction' : priority,
      onRetry,
      onProgress,
    };
    // All at once: the queue lets as many through as there are connections to one storage.
    const sending = sources.map((file, index) => sendFile(file, index, of, settings));
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
  if (!isVirguleError(error, 'E_API_REFUSED')) return false;
  const { endpoint, status } = error.details;
  return endpoint === 'attachments.upload' && EXPIRED_STATUSES.has(status);
}
