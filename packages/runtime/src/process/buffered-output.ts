import * as fs from 'node:fs';
import { systemClock, type Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';

/** Number of characters from which lines are written at once: half of an empty pipe. A write in a thread costs as much as 12 lines. */
const CHUNK = 32_768;
/** Time in milliseconds after which fewer characters are written. */
const FLUSH_MS = 100;
/** Maximum number of waiting characters. Beyond that, new lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Attempts to write to a full pipe when the process ends, and the time between them in milliseconds. */
const LAST_TRIES = 50;
const RETRY_MS = 10;
/** Time in milliseconds that the end of the process waits for a write in a thread. A busy machine may start the thread late. */
const THREAD_MS = 100;
const NOTHING: Buffer = Buffer.alloc(0);
/** pino's number for "warn". */
const WARN = 40;

/**
 * Collects lines and writes them together: a system call for each line costs several times as much as the line. Writes to a
 * file descriptor in a thread, so that a slow reader does not block this process. The rest is written when the process ends.
 *
 * Lines that cannot be written, such as to a full disk, wait. A separate line reports the number of lines that were dropped
 * because 8 MiB were waiting. After the reader has closed the pipe, lines are dropped silently: a log must not keep a process
 * from ending. An open, full pipe that is not read does block the end of the process: the system cannot cancel a write.
 */
export function createBufferedOutput(
  fd: number,
  clock = systemClock,
  files: Pick<typeof fs, 'write' | 'writeSync'> = fs,
) {
  let waiting = '';
  let chunk: Buffer = NOTHING;
  let isWithThread = false;
  let isClosed = false;
  let dropped = 0;
  let timer: Timer | undefined;

  function takeWaiting(): Buffer {
    if (dropped > 0) {
      const lines = `${dropped.toLocaleString('en-US')} log line${dropped === 1 ? ' was' : 's were'}`;
      const msg = `${lines} dropped: they could not be written`;
      waiting += `${JSON.stringify({ level: WARN, time: clock.now(), msg })}\n`;
    }
    const taken = Buffer.from(waiting);
    waiting = '';
    dropped = 0;
    return taken;
  }

  function flush(): void {
    timer?.cancel();
    timer = undefined;
    if (chunk.length === 0) chunk = takeWaiting();
    isWithThread = true;
    files.write(fd, chunk, (error, written) => {
      isWithThread = false;
      isClosed = isGone(error);
      if (!error) chunk = chunk.subarray(written);
      const isMoving = !error && written > 0;
      if (isMoving && (chunk.length > 0 || waiting.length >= CHUNK)) flush();
      else schedule();
    });
  }

  function schedule(): void {
    if (isClosed) waiting = '';
    else if (chunk.length > 0 || waiting !== '') timer ??= clock.setTimeout(flush, FLUSH_MS);
  }

  process.once('exit', () => {
    if (isClosed) return;
    // A write in a thread still completes; the rest must be written after that.
    if (isWithThread) pause(THREAD_MS);
    let rest = Buffer.concat([isWithThread ? NOTHING : chunk, takeWaiting()]);
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES;) {
      try {
        rest = rest.subarray(files.writeSync(fd, rest));
      } catch (error) {
        if (!isBehind(error)) return;
        tries += 1;
        pause(RETRY_MS);
      }
    }
  });

  return {
    /** @param line - with its line break. */
    write(line: string): void {
      if (isClosed) return;
      if (waiting.length > MAX_WAITING) {
        dropped += 1;
        return;
      }
      waiting += line;
      if (isWithThread) return;
      if (waiting.length >= CHUNK && chunk.length === 0) flush();
      else schedule();
    },
  };
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Returns whether an error means that the reader is too slow. */
const isBehind = (error: unknown): boolean =>
  ['EAGAIN', 'EBUSY'].includes(String(errorCode(error)));

/** Returns whether an error means that the reader is gone. */
const isGone = (error: unknown): boolean => ['EPIPE', 'EBADF'].includes(String(errorCode(error)));
