import { write, writeSync } from 'node:fs';
import { systemClock, type Clock, type Timer } from '@virgule/core/clock';

/** Takes lines and writes them together: a call of the system for each costs several times what the line does. */
export interface BufferedOutput {
  write(line: string): void;
}

/** This many characters are written at once. */
const CHUNK = 4_096;
/** And what there is, this long after the first of it. */
const FLUSH_MS = 100;
/** What cannot be written for so long, because nobody reads, is bounded: the newest lines are dropped. */
const WAITING_MAX = 8 * 1024 * 1024;
/** How long a full pipe is given when the process ends, in tries of a hundredth of a second. */
const LAST_TRIES = 50;

/**
 * Writes to a file descriptor, by a thread: whoever reads slowly does not hold up this process. What is left is
 * written when the process ends. Once nobody reads any more, or the disk is full, lines are dropped: a log must not
 * keep a process from ending.
 */
export function createBufferedOutput(fd: number, clock: Clock = systemClock): BufferedOutput {
  let waiting = '';
  let timer: Timer | undefined;
  let isWriting = false;
  let isBroken = false;

  function flush(): void {
    timer?.cancel();
    timer = undefined;
    if (isWriting || isBroken || waiting === '') return;
    const chunk = Buffer.from(waiting);
    waiting = '';
    writeOn(chunk);
  }

  function writeOn(chunk: Buffer): void {
    isWriting = true;
    write(fd, chunk, (error, written) => {
      isWriting = false;
      if (error && !isFull(error)) {
        isBroken = true;
        waiting = '';
      } else if (error) {
        clock.setTimeout(() => writeOn(chunk), FLUSH_MS);
        isWriting = true;
      } else if (written < chunk.length) writeOn(chunk.subarray(written));
      else if (waiting.length >= CHUNK) flush();
      else schedule();
    });
  }

  function schedule(): void {
    if (waiting !== '') timer ??= clock.setTimeout(flush, FLUSH_MS);
  }

  process.once('exit', () => {
    // What a thread is writing at this moment it still writes.
    if (!isBroken) writeRest(fd, Buffer.from(waiting));
  });

  return {
    write(line) {
      if (isBroken || waiting.length > WAITING_MAX) return;
      waiting += line;
      if (isWriting) return;
      if (waiting.length >= CHUNK) flush();
      else schedule();
    },
  };
}

function writeRest(fd: number, rest: Buffer): void {
  let left = rest;
  for (let tries = 0; left.length > 0 && tries < LAST_TRIES;) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      if (!isFull(error)) return;
      tries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Whether whoever reads is behind. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
