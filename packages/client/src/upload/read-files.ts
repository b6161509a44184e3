import { openAsBlob } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { raceAbort } from '@virgule/core/abort';
import { errorCode, errorText } from '@virgule/core/errors';
import { contentTypeOf } from '@virgule/core/net';
import { isObject } from '@virgule/core/objects';
import { clientErrors } from '../errors/client-errors.js';
import type { BlobLike, FileData, FileInput, FileSource } from './files.js';

/** A stream is kept in memory, so that it can be sent again; this is all that is taken of it, in bytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

/** Options of `readFile`. */
export interface ReadFileOptions {
  /** Name of the call in errors, such as `messages.send`. */
  readonly endpoint: string;
  /** Folder of relative paths. @defaultValue the working directory */
  readonly root?: string | undefined;
  /** Ends the reading of a stream. */
  readonly signal: AbortSignal;
}

type Refuse = (expected: string, seen: string, cause?: unknown) => Error;

interface FileParts {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
  readonly data?: FileData | undefined;
}

/**
 * Reads a file for an upload: its name, media type and content.
 *
 * @throws VirguleError `E_INVALID_CALL` for a value that is no file, and for a missing or too large file.
 */
export async function readFile(
  file: FileInput,
  index: number,
  { endpoint, root, signal }: ReadFileOptions,
): Promise<FileSource> {
  const { data, contentType } = partsOf(file);
  const fileName = fileNameOf(file, index);
  const refuse: Refuse = (expected, seen, cause) => {
    const details = { endpoint, field: `files[${index}]`, expected, seen };
    return clientErrors.E_INVALID_CALL(details, { cause });
  };
  const blob = await (typeof data === 'string'
    ? readPath(root === undefined ? data : resolve(root, data), refuse)
    : readData(data, signal, refuse));
  return { fileName, contentType: contentType || blob.type || contentTypeOf(fileName), blob };
}

async function readData(
  data: Exclude<FileData, string> | undefined,
  signal: AbortSignal,
  refuse: Refuse,
): Promise<BlobLike> {
  if (isBlob(data)) return data;
  if (isIterable(data)) return readStream(data, signal, refuse);
  if (data instanceof Uint8Array) return new Blob([data]);
  const seen = data === null ? 'null' : typeof data;
  throw refuse('a path, bytes, a stream, a Blob or { name, data }', seen);
}

async function readPath(path: string, refuse: Refuse): Promise<Blob> {
  const unreadable = (reason: string, cause?: unknown): Error =>
    refuse('a file that can be read', `${JSON.stringify(path)}${reason}`, cause);
  const fail = (error: unknown): never => {
    const code = errorCode(error);
    throw unreadable(` (${typeof code === 'string' ? code : 'no reason given'})`, error);
  };
  const found = await stat(path).catch(fail);
  if (!found.isFile()) throw unreadable(', which is not a file');
  await access(path, constants.R_OK).catch(fail);
  return openAsBlob(path).catch(fail);
}

async function readStream(
  stream: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
  refuse: Refuse,
): Promise<Blob> {
  const wanted = `a stream of ${MAX_STREAM_BYTES} bytes or less; pass a larger file by its path`;
  const pieces: Uint8Array[] = [];
  let readBytes = 0;
  const read = async (): Promise<void> => {
    for await (const piece of stream) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      // JavaScript may pass anything, against the types; without a length there would be no bound.
      if (!(bytes instanceof Uint8Array))
        throw new TypeError('a piece that is neither text nor bytes');
      readBytes += bytes.byteLength;
      if (readBytes > MAX_STREAM_BYTES || signal.aborted) return;
      pieces.push(bytes);
    }
  };
  try {
    await raceAbort(read(), signal);
  } catch (error) {
    // Its iterator ends with its next piece only, which may never come.
    if (signal.aborted && stream instanceof Readable) stream.destroy();
    throw refuse('a stream that can be read', `an error: ${errorText(error)}`, error);
  }
  if (readBytes > MAX_STREAM_BYTES) throw refuse(wanted, `${readBytes} bytes or more`);
  return new Blob(pieces);
}

/** Returns the name that others see. */
export function fileNameOf(file: FileInput, index: number): string {
  const { name, data } = partsOf(file);
  return name || nameOf(data) || `file-${index + 1}`;
}

/** A file as its parts. A string in `data` is a path from here on: text has become bytes. */
function partsOf(file: FileInput): FileParts {
  if (!isObject(file) || isBlob(file) || isIterable(file)) return { data: file };
  if ('data' in file) {
    const { data } = file;
    return { ...file, data: typeof data === 'string' ? Buffer.from(data) : data };
  }
  // A stream from a file has a path as well.
  return 'path' in file ? { ...file, data: file.path } : { data: file };
}

function nameOf(data: unknown): string {
  if (typeof data === 'string') return basename(data);
  if (!isObject(data)) return '';
  // A `File` knows its name, and a stream from a file its path.
  if ('name' in data && typeof data.name === 'string') return basename(data.name);
  return 'path' in data && typeof data.path === 'string' ? basename(data.path) : '';
}

function isBlob(data: unknown): data is BlobLike {
  return (
    isObject(data) && 'arrayBuffer' in data && 'slice' in data && 'size' in data && 'type' in data
  );
}

const isIterable = (data: unknown): data is AsyncIterable<Uint8Array | string> =>
  isObject(data) && Symbol.asyncIterator in data;
