import { Readable } from 'node:stream';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { UploadSession } from '@virgule/core/protocol';
import { resolveAddress } from '../address/resolve-address.js';
import type { Caller } from '../request/caller.js';
import type { RequestPlan, PriorityClass } from '../request/call.js';
import type { FileSource } from './file-source.js';
import { frameMultipart, mediaType } from './multipart.js';

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: PriorityClass | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** Time for the whole upload, in milliseconds. */
  readonly deadlineMs: number;
  /** Called with how many bytes of the file were handed over so far; a new try begins at 0 again. */
  readonly onBytes?: ((sentBytes: number) => void) | undefined;
}

/** Sends a file to the address of a session. */
export type Uploader = (
  session: UploadSession,
  file: FileSource,
  options: UploadOptions,
) => Promise<void>;

export interface UploaderOptions {
  readonly caller: Caller;
  readonly random: () => number;
  /** An `uploadUrl` without a host is relative to this. */
  readonly baseUrl: string;
}

/** An upload of which no piece is taken for this long has stalled, in milliseconds. */
const STALLED_MS = 60_000;

/**
 * Pieces that were taken may still be in the buffers of the socket: this much, in bytes, and on a slow line
 * they empty at this rate, in bytes per second.
 */
const BUFFERED = { maxBytes: 4 * 1024 * 1024, bytesPerSecond: 32 * 1024 };

export function createUploader({ caller, random, baseUrl }: UploaderOptions): Uploader {
  return async (session, file, { onBytes, ...callOptions }) => {
    const body = new UploadBody(file, onBytes);
    try {
      const plan = planUpload(session, file, body, baseUrl, random);
      await caller.send(plan, { signal: undefined, ...callOptions });
    } catch (error) {
      // What ended the connection was the file itself.
      throw body.failure ?? error;
    }
  };
}

/** The bytes of one upload, made again for each try. */
class UploadBody {
  /** What is wrong with the file, found while it was read. */
  failure: VirguleError | undefined;

  readonly #file: FileSource;
  readonly #onBytes: UploadOptions['onBytes'];

  constructor(file: FileSource, onBytes: UploadOptions['onBytes']) {
    this.#file = file;
    this.#onBytes = onBytes;
  }

  open(head: Uint8Array, tail: Uint8Array, onPiece: () => void): Readable {
    if (this.failure) throw this.failure;
    const body = Readable.from(this.#pieces(head, tail, onPiece), { objectMode: false });
    // A connection that fails destroys its body with the same error, which is reported elsewhere; an
    // error without a listener would end the process.
    body.on('error', () => {});
    return body;
  }

  // Begins when the first piece is asked for, not while the upload waits for a connection.
  async *#pieces(
    head: Uint8Array,
    tail: Uint8Array,
    onPiece: () => void,
  ): AsyncGenerator<Uint8Array> {
    let sentBytes = 0;
    onPiece();
    try {
      if (head.byteLength > 0) yield head;
      for await (const piece of this.#file.open()) {
        yield piece;
        onPiece();
        sentBytes += piece.byteLength;
        this.#onBytes?.(sentBytes);
      }
      if (tail.byteLength > 0) yield tail;
    } catch (error) {
      // A connection that fails throws its error in here too.
      if (isVirguleError(error)) this.failure = error;
      throw error;
    }
  }
}

const NOTHING = new Uint8Array();

function planUpload(
  session: UploadSession,
  file: FileSource,
  body: UploadBody,
  baseUrl: string,
  random: () => number,
): RequestPlan {
  const url = URL.canParse(session.uploadUrl, baseUrl)
    ? new URL(session.uploadUrl, baseUrl)
    : undefined;
  const { origin } = resolveAddress('uploadUrl', url?.href ?? session.uploadUrl, [
    'http:',
    'https:',
  ]);
  const byForm = Object.keys(session.fields).length > 0;
  const { contentType, head, tail } = byForm
    ? frameMultipart(session.fields, file, random)
    : { contentType: mediaType(file.contentType), head: NOTHING, tail: NOTHING };
  const method = byForm ? 'POST' : 'PUT';
  const sizeBytes = head.byteLength + file.sizeBytes + tail.byteLength;
  return {
    endpoint: 'attachments.upload',
    // Path and query of the address are a permission to write: they stay out of errors and logs.
    route: `${method} ${origin}`,
    lane: 'upload',
    major: origin,
    // The same bytes under the same key: a second time changes nothing more.
    retry: 'repeatable',
    origin,
    method,
    path: `${url?.pathname ?? '/'}${url?.search ?? ''}`,
    headers: {
      'content-type': contentType,
      // Storage services want to know the length beforehand.
      'content-length': String(sizeBytes),
      'user-agent': 'Virgule',
    },
    body: (onPiece) => body.open(head, tail, onPiece),
    carriesToken: false,
    needsBody: false,
    doneBefore: () => false,
    // A large file on a slow line takes its time.
    headersMs: Number.POSITIVE_INFINITY,
    stall: { pieceMs: STALLED_MS, answerMs: STALLED_MS + bufferedMs(sizeBytes) },
    bodyMs: STALLED_MS,
  };
}

/** How long the last bytes may need to leave this machine, in milliseconds. */
function bufferedMs(sizeBytes: number): number {
  const { maxBytes, bytesPerSecond } = BUFFERED;
  return Math.ceil((Math.min(sizeBytes, maxBytes) / bytesPerSecond) * 1_000);
}
