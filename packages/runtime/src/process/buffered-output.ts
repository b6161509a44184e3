import * as fs from 'node:fs';
import { systemClock, type Timer } from '@virgule/core/clock';
import { errorCode } from '@virgule/core/errors';

/** This many characters are written at once: half of what an empty pipe takes. The thread that writes costs as much as 12 lines. */
const CHUNK = 32_768;
/** Fewer are written this long after the first of them. */
const FLUSH_MS = 100;
/** The maximum number of characters that wait without a reader: beyond that, the newest lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Attempts to write to a full pipe when the process ends, and the time between them in milliseconds. */
const LAST_TRIES = 50;
const RETRY_MS = 10;
/** How long the end of the process waits for a write in a thread, which a busy machine starts late. */
const THREAD_MS = 100;
const NOTHING: Buffer = Buffer.alloc(0);
const LINE_BREAK = 0x0a;
/** pino's number for "warn". */
const WARN = 40;

/**
 * Collects lines and writes them together: a system call for each costs several times what the line does. Writes to a
 * file descriptor in a thread: a slow reader does not block this process. The rest is written
 * when the process ends.
 *
 * Once no one reads any more, lines are dropped silently: a log must not keep a process from ending. Lines
 * dropped because the disk was full, or because 8 MiB of them waited, are counted in a line of their own. A
 * pipe that is open, full and has no reader does block the end of the process: the system cannot cancel a
 * write.
 */
export function createBufferedOutput(
  fd: number,
  clock = systemClock,
  files: Pick<typeof fs, 'write' | 'writeSync'> = fs,
) {
  let waiting = '';
  /** The chunk that is being written. */
  let chunk: Buffer = NOTHING;
  /** Whether the last write ended within a line. */
  let isTorn = false;
  let isWithThread = false;
  let isClosed = false;
  let dropped = 0;
  /** How many dropped lines the chunk reports. */
  let reported = 0;
  let timer: Timer | undefined;

  function takeWaiting(): Buffer {
    const lead = isTorn && chunk.length === 0 ? '\n' : '';
    const lines = `${dropped.toLocaleString('en-US')} log line${dropped === 1 ? ' was' : 's were'}`;
    const msg = `${lines} dropped: they could not be written`;
    const line = `${JSON.stringify({ level: WARN, time: clock.now(), msg })}\n`;
    const notice = dropped > 0 ? line : '';
    const taken = Buffer.from(lead + waiting + notice);
    waiting = '';
    reported = dropped;
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
      if (error) failed(error);
      else advance(written);
      const isMoving = !error && written > 0;
      if (isMoving && (chunk.length > 0 || waiting.length >= CHUNK)) flush();
      else schedule();
    });
  }

  function advance(written: number): void {
    if (written > 0) isTorn = chunk[written - 1] !== LINE_BREAK;
    chunk = chunk.subarray(written);
  }

  function failed(error: NodeJS.ErrnoException): void {
    if (isBehind(error)) return;
    isClosed = isGone(error);
    // A line break at the start belongs to the previous line.
    const lost = chunk.subarray(1).filter((byte) => byte === LINE_BREAK).length;
    dropped += lost + Math.max(0, reported - 1);
    chunk = NOTHING;
  }

  function schedule(): void {
    if (isClosed) waiting = '';
    else if (chunk.length > 0 || waiting !== '') timer ??= clock.setTimeout(flush, FLUSH_MS);
  }

  process.once('exit', () => {
    if (isClosed) return;
    // A write in a thread still completes; the rest must come after it.
    if (isWithThread) pause(THREAD_MS);
    const unwritten = isWithThread ? NOTHING : chunk;
    writeRest(Buffer.concat([unwritten, takeWaiting()]));
  });

  function writeRest(rest: Buffer): void {
    let left = rest;
    for (let tries = 0; left.length > 0 && tries < LAST_TRIES;) {
      try {
        left = left.subarray(files.writeSync(fd, left));
      } catch (error) {
        if (!isBehind(error)) return;
        tries += 1;
        pause(RETRY_MS);
      }
    }
  }

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

/** Blocks this thread. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Returns whether the reader is too slow. */
const isBehind = (error: unknown): boolean =>
  ['EAGAIN', 'EBUSY'].includes(String(errorCode(error)));

/** Returns whether there is no reader any more. */
const isGone = (error: unknown): boolean => ['EPIPE', 'EBADF'].includes(String(errorCode(error)));
