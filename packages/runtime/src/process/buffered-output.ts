import * as fs from 'node:fs';
import { systemClock, type Clock, type Timer } from '@virgule/core/clock';

/** Takes lines and writes them together: a call of the system for each costs several times what the line does. */
export interface BufferedOutput {
  /** @param line - with its line break. */
  write(line: string): void;
}

export interface BufferedOutputOptions {
  /** @defaultValue the system's */
  readonly clock?: Clock;
  /** What writes. @defaultValue the system's */
  readonly files?: Pick<typeof fs, 'write' | 'writeSync'>;
}

/** This many characters are written at once. */
const CHUNK = 4_096;
/** And what there is, this long after the first of it. */
const FLUSH_MS = 100;
/** What cannot be written for so long, because nobody reads, is bounded: the newest lines are dropped. */
const WAITING_MAX = 8 * 1024 * 1024;
/** How long a full pipe is given when the process ends, in tries of a hundredth of a second. */
const LAST_TRIES = 50;
const NOTHING: Buffer = Buffer.alloc(0);
const LINE_BREAK = 0x0a;
/** pino's number for "warn". */
const WARN = 40;

/**
 * Writes to a file descriptor, by a thread: whoever reads slowly does not hold up this process. What is left is
 * written when the process ends.
 *
 * Once nobody reads any more, lines are dropped in silence: a log must not keep a process from ending. Those that
 * were dropped because the disk was full, or because 8 MiB of them waited, are counted in a line of their own. A
 * pipe that is open, full and read by nobody does hold up the end of the process: the system has no way to give up
 * a write.
 */
export function createBufferedOutput(
  fd: number,
  { clock = systemClock, files = fs }: BufferedOutputOptions = {},
): BufferedOutput {
  let waiting = '';
  /** What is being written, until all of it is. */
  let chunk: Buffer = NOTHING;
  /** Whether what was written ends within a line. */
  let isTorn = false;
  let isWithThread = false;
  let isClosed = false;
  let dropped = 0;
  /** How many of the dropped lines the chunk tells of. */
  let told = 0;
  let timer: Timer | undefined;

  function takeWaiting(): Buffer {
    const lead = isTorn && chunk.length === 0 ? '\n' : '';
    const notice = dropped > 0 ? droppedLine(dropped, clock) : '';
    const taken = Buffer.from(lead + waiting + notice);
    waiting = '';
    told = dropped;
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
    // A break at the front belongs to what was written before.
    const lost = chunk.subarray(1).filter((byte) => byte === LINE_BREAK).length;
    dropped += lost + Math.max(0, told - 1);
    chunk = NOTHING;
  }

  function schedule(): void {
    if (isClosed) waiting = '';
    else if (chunk.length > 0 || waiting !== '') timer ??= clock.setTimeout(flush, FLUSH_MS);
  }

  process.once('exit', () => {
    if (isClosed) return;
    // What a thread is writing at this moment it still writes; the rest must not come before it.
    if (isWithThread) pause();
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
        pause();
      }
    }
  }

  return {
    write(line) {
      if (isClosed) return;
      if (waiting.length > WAITING_MAX) {
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

function droppedLine(count: number, clock: Clock): string {
  const lines = count === 1 ? '1 log line was' : `${count.toLocaleString('en-US')} log lines were`;
  const msg = `${lines} dropped: they could not be written`;
  return `${JSON.stringify({ level: WARN, time: clock.now(), msg })}\n`;
}

/** A hundredth of a second in which nothing else of this thread runs. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}

/** Whether whoever reads has not kept up. */
const isBehind = (error: unknown): boolean => hasCode(error, ['EAGAIN', 'EBUSY']);

/** Whether nobody will ever read. */
const isGone = (error: unknown): boolean => hasCode(error, ['EPIPE', 'EBADF']);

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  codes.includes(error.code);
