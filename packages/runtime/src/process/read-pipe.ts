import { closeSync, constants, openSync, readSync } from 'node:fs';
import { errorCode } from '@virgule/core/errors';

const TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/**
 * Reads a named pipe, as which password managers offer `.env`, to its end. A plain read would wait forever for a
 * writer, and the process would not even react to Ctrl+C.
 *
 * @throws Error if nothing was written for `timeoutMs`: a person may have to confirm it first.
 */
export function readPipe(file: string, timeoutMs = TIMEOUT_MS): Buffer {
  const pipe = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(65_536);
  const chunks: Buffer[] = [];
  try {
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
      let count = readAvailable(pipe, buffer);
      if (count > 0) waitedMs = 0;
      for (; count > 0; count = readAvailable(pipe, buffer))
        chunks.push(Buffer.from(buffer.subarray(0, count)));
      if (count === 0 && chunks.length > 0) return Buffer.concat(chunks);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
    throw new Error(`no program wrote to this named pipe for ${timeoutMs / 1_000} s`);
  } finally {
    closeSync(pipe);
  }
}

/** Returns the number of bytes read: 0 if no program has the pipe open, -1 if one does and has written nothing new. */
function readAvailable(pipe: number, buffer: Buffer): number {
  try {
    return readSync(pipe, buffer);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return -1;
    throw error;
  }
}
