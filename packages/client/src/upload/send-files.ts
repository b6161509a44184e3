import { linkSignals } from '@virgule/core/abort';
import { isVirguleError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { ENDPOINTS, type MessageAttachmentDraft, type UploadSession } from '@virgule/core/protocol';
import { type CallFacts, clientErrors, interruption } from '../errors/client-errors.js';
import { isAborted, type ClientErrorDetails } from '../errors/error-guards.js';
import type { CallOptions, SendOptions } from '../request/call.js';
import type { Accepted } from '../request/caller.js';
import type { Api } from '../rest/api.js';
import type { AttachmentCalls, MessageBody } from '../rest/calls.js';
import { checkFiles, checkInput, readOptions } from '../rest/check-input.js';
import type { InteractionBody, InteractionFilesBody } from '../rest/interactions.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { FileInput, FileSource } from './files.js';
import { fileNameOf, readFile } from './read-files.js';
import { createUploader } from './uploader.js';

/** Call and channel of the files. */
interface FilesOf {
  /** For errors: `messages.send`. */
  readonly endpoint: string;
  readonly channelId: string;
  /** Deadline of the whole call: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly dueMs: number;
  /** Set for files of an answer to a command, which go before all other calls. */
  readonly isAnswer?: boolean | undefined;
}

type Parameters = Readonly<Record<string, string>>;

type FilesBody = MessageBody & Partial<InteractionFilesBody>;

type NameWithFiles = 'messages.send' | 'interactions.respond' | 'interactions.followUp';

export type SendWithFiles = ReturnType<typeof createFileCalls>['send'];

const ENDPOINT = 'attachments.upload';

/** The route of the first request of an upload, for errors about what comes before it. */
const ROUTE = `${ENDPOINTS['attachments.openUpload'].method} ${ENDPOINTS['attachments.openUpload'].path}`;

/** The calls that upload files. */
export function createFileCalls(settings: RestSettings, api: Api) {
  const { clock, closing, filesRoot: root, log, token, uploadDeadlineMs } = settings;
  const upload = createUploader(api.caller, settings);
  const leftMs = (dueMs: number): number => Math.max(0, dueMs - clock.monotonic());

  /** Reads the files; streams are read until the call's deadline, its signal or `close()` ends it. */
  async function read(
    files: readonly FileInput[],
    { endpoint, dueMs }: FilesOf,
    signal: AbortSignal | undefined,
  ): Promise<FileSource[]> {
    const startMs = clock.monotonic();
    const stop = linkSignals(closing, signal);
    const timer = clock.setTimeout(() => stop.abort(), dueMs - startMs);
    const interrupted = (): Error => {
      const elapsedMs = Math.round(clock.monotonic() - startMs);
      const facts = { endpoint, route: ROUTE, attempts: 0, elapsedMs };
      return interruption({ ...facts, phase: 'waiting', maybeSent: false }, closing, signal);
    };
    const reading = { endpoint, root, signal: stop.signal };
    const readOne = (file: FileInput, index: number): Promise<FileSource> =>
      readFile(file, index, reading).catch((error: unknown) => {
        const reason = stop.signal.aborted ? interrupted() : error;
        throw asUploadError(reason, fileNameOf(file, index), index);
      });
    try {
      return await Promise.all(files.map(readOne));
    } finally {
      // After the first failure the other streams are read no further.
      stop.abort();
      timer.cancel();
      stop.unlink();
    }
  }

  /** Opens a session and uploads a file; once more when the session's time was over. */
  async function sendFile(
    file: FileSource,
    index: number,
    { endpoint, channelId, dueMs }: FilesOf,
    more: Omit<SendOptions, 'deadlineMs'>,
  ): Promise<MessageAttachmentDraft> {
    const { fileName, contentType, blob } = file;
    const described = { fileName, contentType, size: blob.size };
    const input = { parameters: { channelId }, body: described };
    const sendOptions = () => ({ ...more, deadlineMs: leftMs(dueMs) });
    for (let isAgain = false; ; isAgain = true) {
      try {
        const opening = api.call<UploadSession>('attachments.openUpload', input, sendOptions());
        const session = await opening;
        await upload(session, file, { ...sendOptions(), endpoint, field: `files[${index}]` });
        return { objectKey: session.objectKey, ...described };
      } catch (error) {
        if (isAgain || !isExpired(error)) throw asUploadError(error, fileName, index);
        log.info({ fileName }, 'the upload session expired; opening another one');
      }
    }
  }

  /** Uploads files and returns what a message carries for them, in the same order. */
  async function sendFiles(
    files: readonly FileInput[],
    of: FilesOf,
    options: Omit<SendOptions, 'deadlineMs'>,
  ): Promise<MessageAttachmentDraft[]> {
    const sources = await read(files, of, options.signal);
    const stop = linkSignals(options.signal);
    const priority = of.isAnswer ? 'interaction' : options.priority;
    const more = { ...options, signal: stop.signal, priority };
    // All at once: the queue lets as many through as there are connections to one storage.
    const sending = sources.map((file, index) => sendFile(file, index, of, more));
    try {
      return await Promise.all(sending);
    } finally {
      // After the first failure the others are of no use.
      stop.abort();
      await Promise.allSettled(sending);
      stop.unlink();
    }
  }

  async function sendFilesFirst(
    name: NameWithFiles,
    parameters: Parameters,
    { files = [], channelId: ofCommand, ...rest }: FilesBody,
    options: CallOptions | undefined,
  ): Promise<Accepted> {
    const { deadlineMs, ...more } = readOptions(name, options, uploadDeadlineMs);
    checkFiles(name, files);
    const isAnswer = name !== 'messages.send';
    const channelId = (isAnswer ? ofCommand : parameters['channelId']) ?? '';
    // In an answer, null means no text.
    const message = isAnswer ? { ...rest, content: rest.content || null } : rest;
    const attaching = (drafts: readonly unknown[]) => ({
      parameters,
      body: { ...message, attachments: [rest.attachments ?? [], drafts].flat() },
    });
    // Before anything is uploaded for it.
    const input = { ...attaching(files), parameters: { ...parameters, channelId } };
    checkInput(ENDPOINTS[name], input, token);
    const dueMs = clock.monotonic() + deadlineMs;
    const drafts = await sendFiles(files, { endpoint: name, channelId, dueMs, isAnswer }, more);
    return api.send(name, attaching(drafts), { ...more, deadlineMs: leftMs(dueMs) });
  }

  const calls: Pick<AttachmentCalls, 'upload' | 'uploadAll'> = {
    async upload(session, uploaded, options) {
      const sendOptions = readOptions(ENDPOINT, options, uploadDeadlineMs);
      const { fileName, contentType, bytes } = uploaded;
      const place = { endpoint: ENDPOINT, field: 'bytes', ...sendOptions };
      await upload(session, { fileName, contentType, blob: new Blob([bytes]) }, place);
    },
    async uploadAll(channelId, files, options) {
      const { deadlineMs, ...more } = readOptions(ENDPOINT, options, uploadDeadlineMs);
      checkFiles(ENDPOINT, files);
      const dueMs = clock.monotonic() + deadlineMs;
      return sendFiles(files, { endpoint: ENDPOINT, channelId, dueMs }, more);
    },
  };
  return {
    calls,
    /** Sends a message or an answer: files first, then what carries them. */
    send: (
      name: NameWithFiles,
      parameters: Parameters,
      body: MessageBody | InteractionBody,
      options: CallOptions | undefined,
    ): Promise<Accepted> =>
      isObject(body) && 'files' in body && body.files
        ? // The checks report missing and invalid values of the body.
          sendFilesFirst(name, parameters, body as FilesBody, options)
        : api.send(name, { parameters, body }, options),
  };
}

/** Codes of errors that concern the call and not its file, and are passed on unchanged. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'E_SHUTTING_DOWN',
  'E_UNAUTHORIZED',
  'E_INVALID_CALL',
]);

/** Wraps an error of a file, so that its 404 or unknown outcome is not mistaken for an outcome of the message. */
function asUploadError(error: unknown, fileName: string, index: number): unknown {
  if (!isVirguleError(error) || PASSED_ON.has(error.code)) return error;
  if (isAborted(error)) {
    // The message was not sent, whatever became of the file.
    const { details, cause } = error;
    return clientErrors.E_ABORTED({ ...details, maybeSent: false }, { cause });
  }
  // All other errors but `E_BAD_ADDRESS` have the facts of their call.
  const facts = error.details as Partial<CallFacts>;
  const { field, apiMessage } = error.details as Partial<ClientErrorDetails['E_API_REFUSED']>;
  const refusal = [field && `field ${field}`, apiMessage].filter(Boolean).join(': ') || undefined;
  const { endpoint = ENDPOINT, route = ROUTE, attempts = 0, elapsedMs = 0, requestId } = facts;
  const file = { field: `files[${index}]`, fileName, reason: error.code, refusal };
  const details = { endpoint, route, attempts, elapsedMs, requestId, ...file };
  return clientErrors.E_UPLOAD_FAILED(details, { cause: error });
}

/** Returns true if the storage answered that the session has expired. */
function isExpired(error: unknown): boolean {
  if (!isVirguleError(error, 'E_API_REFUSED')) return false;
  const { endpoint, status } = error.details;
  return endpoint === ENDPOINT && (status === 403 || status === 410);
}
