import { open } from 'node:fs/promises';
import type { BlobLike } from './file-input.js';

/** A file whose size is known, ready to be sent as often as it takes. */
export interface FileSource {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Its bytes from the beginning, in pieces. */
  open(): AsyncIterable<Uint8Array>;
}

/** Progress is reported once for each piece. */
const PIECE_BYTES = 64 * 1024;

export async function* bytesInPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

export async function* blobInPieces(blob: BlobLike): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer());
  }
}

/** `changed` makes the error for a file that no longer has `sizeBytes`, the size that was stated. */
export async function* pathInPieces(
  path: string,
  sizeBytes: number,
  changed: (seen: string, cause?: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const file = await open(path).catch((error: unknown) => {
    throw changed('no file', error);
  });
  try {
    let readBytes = 0;
    for (;;) {
      // A new one each time: the piece before may still wait to be written.
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES));
      readBytes += bytesRead;
      if (readBytes > sizeBytes) throw changed(`${readBytes} bytes or more`);
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
    }
    if (readBytes < sizeBytes) throw changed(`${readBytes} bytes`);
  } finally {
    await file.close();
  }
}
