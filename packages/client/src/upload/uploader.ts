import { Readable } from 'node:stream';
import { errorText, type VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { UploadSession } from '@virgule/core/protocol';
import { resolveAddress, warnUnencrypted } from '../address/address.js';
import { clientErrors } from '../errors/client-errors.js';
import type { RequestPlan, SendOptions } from '../request/call.js';
import type { Caller } from '../request/caller.js';
import type { RestSettings } from '../rest/rest-options.js';
import type { FileSource } from './files.js';

interface UploadOptions extends SendOptions {
  /** For errors: the call that the file belongs to, and where the file is in it, `files[0]`. */
  readonly endpoint: string;
  readonly field: string;
}

/** Size of the pieces in which a file is read, in bytes. */
const PIECE_BYTES = 64 * 1024;

/** An upload of which no piece is taken for this long has stalled, in milliseconds. */
const STALLED_MS = 60_000;

/** Pieces may still be in the buffers of the socket: `maxBytes`, sent at `bytesPerSecond` on a slow line. */
const BUFFERED = { maxBytes: 4 * 1024 * 1024, bytesPerSecond: 32 * 1024 };

export function createUploader(caller: Caller, { baseUrl, log, random }: RestSettings) {
  let hasWarned = false;

  /** Sends a file. @throws VirguleError `E_INVALID_CALL` when the file is larger than the session takes. */
  return async (
    session: UploadSession,
    file: FileSource,
    { endpoint, field, ...sendOptions }: UploadOptions,
  ): Promise<void> => {
    const { maxBytes, uploadUrl } = session;
    // Null, 0 or less allows no file at all: it is no bound.
    const { size } = file.blob;
    if (maxBytes > 0 && size > maxBytes) {
      const expected = `a file of ${maxBytes} bytes or less`;
      throw clientErrors.E_INVALID_CALL({ endpoint, field, expected, seen: `${size} bytes` });
    }
    const isGiven = typeof uploadUrl === 'string' && uploadUrl.trim() !== '';
    // An address without a host is relative to the address of the platform.
    const url =
      isGiven && URL.canParse(uploadUrl, baseUrl) ? new URL(uploadUrl, baseUrl) : undefined;
    const { origin } = resolveAddress('uploadUrl', url?.href ?? uploadUrl, ['http:', 'https:']);
    hasWarned ||= warnUnencrypted('uploadUrl', origin, log);
    const { method, contentType, head, tail } = frameFile(session.fields, file, random);
    const sizeBytes = head.byteLength + size + tail.byteLength;
    // Time that the last bytes may need to leave this machine.
    const bufferedMs = (Math.min(sizeBytes, BUFFERED.maxBytes) / BUFFERED.bytesPerSecond) * 1_000;
    /** Error of the file, found during the upload. */
    let failure: VirguleError | undefined;
    const fail = (cause: unknown): never => {
      const expected = 'a file that can be read, and does not change until it is sent';
      const seen = `an error: ${errorText(cause)}`;
      throw (failure = clientErrors.E_INVALID_CALL({ endpoint, field, expected, seen }, { cause }));
    };

    // Made again for each try. It begins when the first piece is asked for, not while the upload waits for a connection.
    async function* pieces(expectProgress: (withinMs: number) => void) {
      expectProgress(STALLED_MS);
      if (head.byteLength > 0) yield head;
      for (let at = 0; at < size; at += PIECE_BYTES) {
        const piece = file.blob.slice(at, at + PIECE_BYTES).arrayBuffer();
        yield new Uint8Array(await piece.catch(fail));
        expectProgress(STALLED_MS);
      }
      if (tail.byteLength > 0) yield tail;
      expectProgress(STALLED_MS + Math.ceil(bufferedMs));
    }

    const plan: RequestPlan = {
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
      body(expectProgress) {
        if (failure) throw failure;
        // A failed connection destroys its body with an error, which would end the process without a listener.
        return Readable.from(pieces(expectProgress), { objectMode: false }).on('error', () => {});
      },
      needsBody: false,
      doneBefore: () => false,
      // Begins again with each piece: a large file on a slow line takes its time.
      patienceMs: STALLED_MS,
    };
    try {
      await caller.send(plan, sendOptions);
    } catch (error) {
      // An error of the file itself has ended the connection.
      throw failure ?? error;
    }
  };
}

const NOTHING = new Uint8Array();

/** Returns the parts of an upload: the plain file, or a multipart form with the file, `file`, after all fields. */
export function frameFile(
  fields: unknown,
  file: Pick<FileSource, 'fileName' | 'contentType'>,
  random: () => number,
) {
  // Characters that a header cannot carry would be refused.
  const isPlain = /^[\x20-\x7e]+$/.test(file.contentType);
  const contentType = isPlain ? file.contentType : 'application/octet-stream';
  const all = isRecord(fields) ? Object.entries(fields) : [];
  if (all.length === 0)
    return { method: 'PUT', contentType, head: NOTHING, tail: NOTHING } as const;
  const boundary = `virgule-${randomText(random)}${randomText(random)}`;
  const parts = all.map(
    ([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${fieldText(value)}\r\n`,
  );
  const head = `--${boundary}\r\n${disposition('file', file.fileName)}\r\nContent-Type: ${contentType}\r\n\r\n`;
  return {
    method: 'POST',
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join('') + head),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  } as const;
}

function disposition(name: string, fileName?: string): string {
  const file = fileName === undefined ? '' : `; filename="${escapeParameter(fileName)}"`;
  return `Content-Disposition: form-data; name="${escapeParameter(name)}"${file}`;
}

/** A quote or a line break would end the name and begin a header. */
const escapeParameter = (text: string): string =>
  text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');

const randomText = (random: () => number): string =>
  random().toString(36).slice(2, 14).padEnd(12, '0');
