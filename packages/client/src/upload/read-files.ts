import { isObject } from '@virgule/core/objects';
import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { raceAbort } from '@virgule/core/abort';
import { errorCode, errorText } from '@virgule/core/errors';
import { clientErrors } from '../errors/client-errors.js';
import { contentTypeOf } from './content-type.js';
import type { BlobLike, FileData, FileInput, NamedFile } from './file-input.js';
import { asUploadError } from './upload-error.js';
import { blobInPieces, bytesInPieces, pathInPieces, type FileSource } from './file-source.js';

/** A stream is kept in memory, so that it can be sent again; this is all that is taken of it, in bytes. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

const NO_BYTES = 'a piece that is neither text nor bytes';

type Refuse = (expected: string, seen: string, cause?: unknown) => Error;

type Bytes = Pick<FileSource, 'sizeBytes' | 'open'>;

export interface ReadFilesOptions {
  /** For errors: `messages.send`. */
  readonly endpoint: string;
  /** Where relative paths begin. @defaultValue the working directory */
  readonly root?: string | undefined;
  /** Ends the reading of streams; its reason is what is thrown. */
  readonly signal: AbortSignal;
}

/** What one file is read with. */
interface Reading extends Pick<ReadFilesOptions, 'root' | 'signal'> {
  readonly refuse: Refuse;
}

/**
 * Makes files ready to be sent: looks paths up and reads streams.
 *
 * @throws VirguleError `E_INVALID_CALL` for a file that is none, is missing or has another size than stated;
 * `E_UPLOAD_FAILED` when the signal's reason is a timeout.
 */
export function readFiles(
  files: readonly FileInput[],
  { endpoint, root, signal }: ReadFilesOptions,
): Promise<FileSource[]> {
  return Promise.all(
    files.map((file, index) => {
      const refuse: Refuse = (expected, seen, cause) =>
        clientErrors.E_INVALID_CALL(
          { endpoint, field: `files[${index}]`, expected, seen },
          { cause },
        );
      return readFile(file, index, { root, signal, refuse });
    }),
  );
}

async function readFile(file: FileInput, index: number, reading: Reading): Promise<FileSource> {
  const { name, data, contentType, size }: Partial<NamedFile> = isNamed(file)
    ? file
    : { data: file };
  const fileName = name || nameOf(data) || `file-${index + 1}`;
  const { refuse, signal } = reading;
  const { sizeBytes, open } = await readData(data, size, reading).catch((error: unknown) => {
    throw signal.aborted ? asUploadError(error, fileName, index) : error;
  });
  if (size !== undefined && size !== sizeBytes) {
    throw refuse(`${size} bytes long, as its size says`, `${sizeBytes} bytes`);
  }
  const ownType = isBlob(data) ? data.type : '';
  return {
    fileName,
    contentType: contentType || ownType || contentTypeOf(fileName),
    sizeBytes,
    open,
  };
}

async function readData(
  data: FileData | undefined,
  statedBytes: number | undefined,
  { root, signal, refuse }: Reading,
): Promise<Bytes> {
  if (typeof data === 'string') {
    return readPath(root === undefined ? data : resolve(root, data), refuse);
  }
  if (data instanceof Uint8Array) {
    return { sizeBytes: data.byteLength, open: () => bytesInPieces(data) };
  }
  if (isBlob(data)) return { sizeBytes: data.size, open: () => blobInPieces(data) };
  if (isIterable(data)) {
    const bytes = await readStream(data, statedBytes, signal, refuse);
    return { sizeBytes: bytes.byteLength, open: () => bytesInPieces(bytes) };
  }
  const seen = data === null ? 'null' : typeof data;
  throw refuse('a path, bytes, a stream, a Blob or { name, data }', seen);
}

async function readPath(path: string, refuse: Refuse): Promise<Bytes> {
  const wanted = 'a file that can be read';
  const found = await stat(path).catch((error: unknown) => {
    throw refuse(wanted, `${JSON.stringify(path)} (${codeOf(error)})`, error);
  });
  if (!found.isFile()) throw refuse(wanted, `${JSON.stringify(path)}, which is no file`);
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw refuse(wanted, `${JSON.stringify(path)} (${codeOf(error)})`, error);
  });
  const unchanged = `left alone until it is sent, with its ${found.size} bytes`;
  return {
    sizeBytes: found.size,
    open: () => pathInPieces(path, found.size, (seen, cause) => refuse(unchanged, seen, cause)),
  };
}

async function readStream(
  stream: AsyncIterable<Uint8Array | string>,
  statedBytes = 0,
  signal: AbortSignal,
  refuse: Refuse,
): Promise<Uint8Array> {
  const wanted = `a stream of ${MAX_STREAM_BYTES} bytes or less; pass a larger file by its path`;
  if (statedBytes > MAX_STREAM_BYTES) throw refuse(wanted, `${statedBytes} bytes`);
  const pieces: Uint8Array[] = [];
  let readBytes = 0;
  try {
    for await (const piece of endable(stream, signal)) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      // JavaScript may pass anything, against the types; without a length there would be no bound.
      if (!(bytes instanceof Uint8Array)) throw new TypeError(NO_BYTES);
      readBytes += bytes.byteLength;
      if (readBytes > MAX_STREAM_BYTES) break;
      pieces.push(bytes);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw refuse('a stream that can be read', `an error: ${errorText(error)}`, error);
  }
  if (readBytes > MAX_STREAM_BYTES) throw refuse(wanted, `${readBytes} bytes or more`);
  return Buffer.concat(pieces, readBytes);
}

/** The pieces of a stream until the signal is aborted: then it throws its reason, whatever the stream does. */
async function* endable<Piece>(
  stream: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await raceAbort(iterator.next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    // The iterator of a stream of Node.js ends with its next piece only, which may never come.
    if (signal.aborted && stream instanceof Readable) stream.destroy();
    iterator.return?.().then(undefined, () => {});
  }
}

function nameOf(data: unknown): string {
  if (typeof data === 'string') return basename(data);
  if (!isObject(data)) return '';
  // A `File` knows its name, and a stream from a file its path.
  if ('name' in data && typeof data.name === 'string') return basename(data.name);
  return 'path' in data && typeof data.path === 'string' ? basename(data.path) : '';
}

function isNamed(file: unknown): file is NamedFile {
  return isObject(file) && 'data' in file;
}

function isBlob(data: unknown): data is BlobLike {
  return (
    isObject(data) && 'arrayBuffer' in data && 'slice' in data && 'size' in data && 'type' in data
  );
}

function isIterable(data: unknown): data is AsyncIterable<Uint8Array | string> {
  return isObject(data) && Symbol.asyncIterator in data;
}

function codeOf(error: unknown): string {
  const code = errorCode(error);
  return typeof code === 'string' ? code : 'no reason given';
}
