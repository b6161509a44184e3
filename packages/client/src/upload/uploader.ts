import { Readable } from 'node:stream';
import type { Clock } from '@virgule/core/clock';
import { isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { UploadSession } from '@virgule/core/protocol';
import { resolveAddress } from '../address/resolve-address.js';
import type { Caller } from '../request/caller.js';
import { linkSignals } from '@virgule/core/abort';
import type { RequestPlan } from '../request/request-plan.js';
import { clientErrors } from '../errors/client-errors.js';
import { isAborted } from '../errors/error-guards.js';
import type { PriorityClass } from '../request/priority.js';
import type { FileSource } from './file-source.js';
import { frameMultipart, mediaType } from './multipart.js';

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: PriorityClass | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** Time for the whole upload, in milliseconds. */
  readonly deadlineMs: number;
  /** Called before each try; what it throws ends the upload. */
  readonly beforeTry?: (() => void) | undefined;
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
  readonly clock: Clock;
  readonly random: () => number;
  /** An `uploadUrl` without a host is relative to this. */
  readonly baseUrl: string;
}

/** An upload of which no piece can be handed over for this long has stalled, in milliseconds. */
const STALLED_MS = 60_000;

/**
 * What was handed over may still be in the buffers of the socket: this much, in bytes, and on a slow line
 * they empty at this rate, in bytes per second.
 */
const BUFFERED = { maxBytes: 4 * 1024 * 1024, bytesPerSecond: 32 * 1024 };

export function createUploader({ caller, clock, random, baseUrl }: UploaderOptions): Uploader {
  return async (session, file, options) => {
    const { signal, priority, onRetry, deadlineMs } = options;
    const stop = linkSignals(signal);
    let isStalled = false;
    const body = new UploadBody(file, options, clock, () => {
      isStalled = true;
      stop.abort();
    });
    try {
      const plan = planUpload(session, file, body, baseUrl, random);
      await caller.send(plan, { signal: stop.signal, priority, onRetry, deadlineMs });
    } catch (error) {
      // What ended the connection was the file itself.
      if (body.failure) throw body.failure;
      if (isStalled && isAborted(error)) throw clientErrors.E_TIMEOUT(error.details);
      throw error;
    } finally {
      stop.unlink();
    }
  };
}

/** The bytes of one upload, made again for each try. */
class UploadBody {
  /** What is wrong with the file, found while it was read. */
  failure: VirguleError | undefined;

  readonly #file: FileSource;
  readonly #options: UploadOptions;
  readonly #clock: Clock;
  readonly #stalled: () => void;

  constructor(file: FileSource, options: UploadOptions, clock: Clock, stalled: () => void) {
    this.#file = file;
    this.#options = options;
    this.#clock = clock;
    this.#stalled = stalled;
  }

  open(head: Uint8Array, tail: Uint8Array): Readable {
    if (this.failure) throw this.failure;
    this.#options.beforeTry?.();
    const body = Readable.from(this.#pieces(head, tail), { objectMode: false });
    // A connection that fails takes its body down with the same error, which is reported elsewhere; an
    // error that nobody listens to would end the process.
    body.on('error', () => {});
    return body;
  }

  // Begins when the first piece is asked for, not while the upload waits for a connection.
  async *#pieces(head: Uint8Array, tail: Uint8Array): AsyncGenerator<Uint8Array> {
    const { onBytes } = this.#options;
    let timer = this.#clock.setTimeout(this.#stalled, STALLED_MS);
    let sentBytes = 0;
    try {
      if (head.byteLength > 0) yield head;
      for await (const piece of this.#file.open()) {
        yield piece;
        timer.cancel();
        timer = this.#clock.setTimeout(this.#stalled, STALLED_MS);
        sentBytes += piece.byteLength;
        onBytes?.(sentBytes);
      }
      if (tail.byteLength > 0) yield tail;
    } catch (error) {
      // A connection that fails throws its error in here too.
      if (isVirguleError(error)) this.failure = error;
      throw error;
    } finally {
      timer.cancel();
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
      'content-length': String(head.byteLength + file.sizeBytes + tail.byteLength),
      'user-agent': 'Virgule',
    },
    body: () => body.open(head, tail),
    carriesToken: false,
    needsBody: false,
    doneBefore: () => false,
    // A large file on a slow line takes its time.
    headersMs: Number.POSITIVE_INFINITY,
    answerMs: STALLED_MS + bufferedMs(head.byteLength + file.sizeBytes + tail.byteLength),
    bodyMs: STALLED_MS,
  };
}

/** How long the last bytes may need to leave this machine, in milliseconds. */
function bufferedMs(sizeBytes: number): number {
  const { maxBytes, bytesPerSecond } = BUFFERED;
  return Math.ceil((Math.min(sizeBytes, maxBytes) / bytesPerSecond) * 1_000);
}
