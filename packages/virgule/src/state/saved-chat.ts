import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock, Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { makeStateFolder, STATE_FILE_MODE, STATE_FOLDER } from '@virgule/core/fs';
import type { Simulator } from '@virgule/simulator';

export interface SavedChatOptions {
  /** The project's folder. */
  readonly root: string;
  readonly simulator: Pick<Simulator, 'restored' | 'save' | 'journal'>;
  readonly clock: Clock;
  /** Called once if it cannot be written. The chat itself continues. */
  readonly onTrouble: (text: string) => void;
  /** Number of bytes by which the file can always grow before it is rewritten. @defaultValue 4 MiB */
  readonly growthBytes?: number | undefined;
}

/** The chat as lines: what it was when the file was written, then every change. */
const FILE = join(STATE_FOLDER, 'chat.jsonl');
/** The next file while it is written. */
const NEXT_FILE = `${FILE}.next`;

/** Changes are written this long after the first of them, in milliseconds: those of a busy bot together. */
const WRITE_AFTER_MS = 50;
/** A disk that failed is tried again after this time, in milliseconds. */
const RETRY_AFTER_MS = 1_000;
const GROWTH_BYTES = 4 * 1024 * 1024;
/** The next file is written in parts of this many characters: the bot must not wait for all of it. */
const PART_LENGTH = 64 * 1024;

/** Returns the chat that was kept last time; `undefined` when none was, or it cannot be read. */
export function readSavedChat(root: string): string | undefined {
  try {
    return readFileSync(join(root, FILE), 'utf8');
  } catch {
    return undefined;
  }
}

export function forgetSavedChat(root: string): void {
  for (const file of [FILE, NEXT_FILE]) rmSync(join(root, file), { force: true });
}

/** A file that is being written, to replace the current one. */
interface NextFile {
  readonly fd: number;
  /** The chat as it was when the file was begun. */
  readonly lines: Iterator<string>;
  /** What has changed since. */
  changes: string;
  bytes: number;
}

/** Keeps the chat of a simulator in a file. */
export function keepChat(options: SavedChatOptions) {
  const { root, simulator, clock, onTrouble, growthBytes = GROWTH_BYTES } = options;
  const path = join(root, FILE);
  const nextPath = join(root, NEXT_FILE);
  /** Whether the file holds this chat. */
  let hasFile = simulator.restored && existsSync(path);
  let bytes = hasFile ? statSync(path).size : 0;
  /** Size above which the file is rewritten. */
  let maxBytes = growthBytes;
  /** Lines that are not in the file yet. Before them, it may end in an incomplete one of a killed process. */
  let pending = '\n';
  let next: NextFile | undefined;
  let writeTimer: Timer | undefined;
  let partTimer: Timer | undefined;
  let isReported = false;
  let isClosed = false;

  function write(): void {
    writeTimer = undefined;
    const lines = pending;
    pending = '';
    if (next) next.changes += lines;
    if (hasFile) append(lines);
    if (next || (hasFile && bytes <= maxBytes)) return;
    beginNext();
    if (!isClosed) writeRest();
  }

  function append(lines: string): void {
    try {
      // Does not create it: a file that was deleted must not begin with a change.
      const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND);
      try {
        appendFileSync(fd, lines);
      } finally {
        closeSync(fd);
      }
      bytes += Buffer.byteLength(lines);
    } catch {
      hasFile = false;
    }
  }

  function beginNext(): void {
    try {
      makeStateFolder(dirname(path));
      // One that a killed process left can have any permissions.
      rmSync(nextPath, { force: true });
      const fd = openSync(nextPath, 'wx', STATE_FILE_MODE);
      next = { fd, lines: simulator.save()[Symbol.iterator](), changes: '', bytes: 0 };
    } catch (error) {
      onFailure(error);
    }
  }

  function writeRest(): void {
    if (!next) return;
    partTimer = clock.setTimeout(() => {
      if (next) writePart(next);
      writeRest();
    }, 0);
  }

  function writePart(file: NextFile): void {
    let part = '';
    while (part.length < PART_LENGTH) {
      const { done, value } = file.lines.next();
      if (done === true) break;
      part += value;
    }
    const isLast = part.length < PART_LENGTH;
    if (isLast) part += file.changes;
    try {
      appendFileSync(file.fd, part);
      file.bytes += Buffer.byteLength(part);
      if (isLast) finishNext(file);
    } catch (error) {
      dropNext();
      onFailure(error);
    }
  }

  function finishNext(file: NextFile): void {
    closeSync(file.fd);
    next = undefined;
    renameSync(nextPath, path);
    hasFile = true;
    ({ bytes } = file);
    maxBytes = bytes + Math.max(bytes, growthBytes);
  }

  function dropNext(): void {
    if (next) closeSync(next.fd);
    next = undefined;
    rmSync(nextPath, { force: true });
  }

  function onFailure(error: unknown): void {
    // The changes are in the current file: a smaller one is tried later.
    if (hasFile) maxBytes = bytes + growthBytes;
    else if (!isClosed) {
      writeTimer?.cancel();
      writeTimer = clock.setTimeout(write, RETRY_AFTER_MS);
    }
    if (hasFile || isReported) return;
    isReported = true;
    onTrouble(
      `The chat could not be saved: ${errorText(error)}. Free disk space, or make ${FILE} writable.`,
    );
  }

  /** Writes all of the next file at once. */
  function writeNextNow(): void {
    while (next) writePart(next);
  }

  const stop = simulator.journal(
    (line) => {
      pending += line;
      writeTimer ??= clock.setTimeout(write, WRITE_AFTER_MS);
    },
    () => {
      // Until the new file is complete, the old one is what was there before.
      dropNext();
      hasFile = false;
      pending = '\n';
      writeTimer ??= clock.setTimeout(write, WRITE_AFTER_MS);
    },
  );
  // The bot has not started: it does not wait for this.
  if (simulator.restored && !hasFile) {
    beginNext();
    writeNextNow();
  }
  return {
    /** Writes what is not written yet, and stops. */
    close(): void {
      stop();
      isClosed = true;
      partTimer?.cancel();
      const isBehind = writeTimer !== undefined;
      writeTimer?.cancel();
      if (isBehind) write();
      if (hasFile) dropNext();
      else writeNextNow();
    },
  };
}
