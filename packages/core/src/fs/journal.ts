import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  write,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { wallMs } from '../clock/real-time.js';
import { errorCode, errorText } from '../errors/error-text.js';
import type { Log } from '../log/log.js';
import { recordIn } from '../objects/is-object.js';
import { orUndefined } from '../objects/or-undefined.js';
import { isOwnerRunning, ownProcess, type ProcessOwner } from './process-owner.js';
import { writeStateFile } from './state-folder.js';

/**
 * Resources that a process has open on the platform, for the next start to close. Writing never blocks the event loop:
 * one write is in flight at a time, and the next write has all changes since.
 */
export type Journal<Facts extends object> = ReturnType<typeof createJournal<Facts>>;

/** An entry of a process that is gone. */
export interface LeftEntry<Facts extends object> {
  readonly facts: Facts;
  /** Removes the entry, unless a newer entry with its key is open. */
  readonly forget: () => void;
}

export interface JournalOptions<Facts extends object> {
  /** Folder of the journal, with a file for each process. Without one, nothing is stored. */
  readonly folder: string | undefined;
  /** Address of the platform. */
  readonly baseUrl: string | undefined;
  /** Returns the user id of the bot once it is known: bots may share the folder. @defaultValue no id is noted */
  readonly botUserId?: (() => string | undefined) | undefined;
  /** Maximum age of a file of another bot, platform or machine, in milliseconds. @defaultValue no maximum */
  readonly maxAgeMs?: number | undefined;
  /** Name of the entries for the log: `open voice ingresses`. */
  readonly of: string;
  /** Returns the facts of an entry; `undefined` if it has another form. */
  readonly parse: (entry: Readonly<Record<string, unknown>>) => Facts | undefined;
  readonly log: Log;
  /** Replaces the beginning of a file. @defaultValue by one call of the system */
  readonly overwrite?: ((fd: number, text: string) => Promise<void>) | undefined;
}

/** First line of a file. Lines of entries follow, up to an empty line; the rest is of an earlier write. */
interface Owner extends ProcessOwner {
  readonly host: string;
  readonly baseUrl?: string | undefined;
  readonly bot?: string | undefined;
}

const SUFFIX = '.jsonl';
/** Maximum age of a foreign file without entries, in milliseconds; a process that still runs creates its file again. */
const EMPTY_MAX_AGE_MS = 86_400_000;

/** Creates a journal. A disk that cannot be written is logged once, and tolerated. */
export function createJournal<Facts extends object>(options: JournalOptions<Facts>) {
  const { folder, baseUrl, botUserId, maxAgeMs, of, parse, log } = options;
  const { overwrite = overwriteAtOnce } = options;
  const path = folder && join(folder, randomUUID() + SUFFIX);
  /** The newest facts of each key, and their line. */
  const noted = new Map<string, { readonly facts: Facts; readonly line: string }>();
  const own = ownProcess();
  const host = hostname();
  const logged = new Set<string>();
  let fd: number | undefined;
  let hasChanged = false;
  let isWriting = false;
  let writing = Promise.resolve();

  function warnOnce(message: string, details: object): void {
    if (logged.has(message)) return;
    logged.add(message);
    log.warn({ folder, ...details }, message);
  }

  const warnUnwritten = (error: unknown): void =>
    warnOnce(`${of} cannot be remembered for the next start`, { error: errorText(error) });

  function changed(): void {
    hasChanged = true;
    if (path !== undefined && !isWriting) writing = writeTo(path);
  }

  async function writeTo(file: string): Promise<void> {
    isWriting = true;
    while (hasChanged) {
      hasChanged = false;
      const owner = { ...own, host, baseUrl, bot: botUserId?.() } satisfies Owner;
      const lines = [JSON.stringify(owner)];
      for (const { line } of noted.values()) lines.push(line);
      const text = `${lines.join('\n')}\n\n`;
      try {
        // A user may have removed the file since.
        if (fd !== undefined && existsSync(file)) await overwrite(fd, text);
        else fd = create(file, text);
      } catch (error) {
        warnUnwritten(error);
      }
    }
    isWriting = false;
  }

  /** Creates the file with all of its contents at once: another process may start and read the file at any time. */
  function create(file: string, text: string): number {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
    writeStateFile(file, text);
    return openSync(file, 'r+');
  }

  /** Notes facts. Returns a function that removes these facts, unless newer facts were noted since. */
  function note(key: string, facts: Facts): () => void {
    noted.set(key, { facts, line: JSON.stringify({ key, ...facts }) });
    return () => forget(key, facts);
  }

  function forget(key: string, facts: Facts): void {
    if (noted.get(key)?.facts !== facts) return;
    noted.delete(key);
    changed();
  }

  /** Returns whether this process has removed a file. */
  function remove(file: string): boolean {
    try {
      rmSync(file);
      return true;
    } catch (error) {
      // Another process removed it.
      if (errorCode(error) !== 'ENOENT') warnUnwritten(error);
      return false;
    }
  }

  /** Takes the entries of a file if its process is gone. */
  function take(file: string): readonly LeftEntry<Facts>[] {
    const lines = readLines(file);
    if (!lines) return [];
    const [first, ...entries] = lines.map(recordIn);
    const warnUnreadable = (): void =>
      warnOnce(`${of} were left by an earlier process in a form that cannot be read`, { file });
    if (typeof first?.['pid'] !== 'number') {
      warnUnreadable();
      remove(file);
      return [];
    }
    // The line was written by `writeTo`, and is checked as far as it is used.
    const owner = first as unknown as Owner;
    const isOwn = owner.baseUrl === baseUrl && owner.bot === botUserId?.();
    if (!isOwn || owner.host !== host) {
      const limitMs = entries.length === 0 ? EMPTY_MAX_AGE_MS : maxAgeMs;
      if (limitMs !== undefined && ageOf(file) > limitMs) remove(file);
      return [];
    }
    // One of several starting processes removes the file.
    if (isOwnerRunning(owner) || !remove(file)) return [];
    return entries.flatMap((entry) => {
      const facts = entry && parse(entry);
      if (!facts) warnUnreadable();
      return facts ? [{ facts, forget: note(String(entry?.['key']), facts) }] : [];
    });
  }

  return {
    /**
     * Notes an open resource and starts a write, unless one is in flight. Returns a function that removes these facts,
     * unless newer facts were noted since.
     */
    open(key: string, facts: Facts): () => void {
      const forgetIt = note(key, facts);
      changed();
      return forgetIt;
    },
    /**
     * Takes over the entries of processes that are gone. Call it at the start: it creates a file, which blocks the event
     * loop. Files of other bots, platforms and host names stay for `maxAgeMs`: a process in another container may still
     * run. An unreadable file is removed.
     */
    left(): readonly LeftEntry<Facts>[] {
      if (folder === undefined) return [];
      const taken = namesIn(folder).flatMap((name) => take(join(folder, name)));
      changed();
      return taken;
    },
    /** Resolves when the disk has all earlier notes, or cannot be written. */
    written: () => writing,
  };
}

/** Replaces the beginning of a file by one system call, which does not need the event loop: a handler may block it. */
const overwriteAtOnce = (fd: number, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    write(fd, text, 0, 'utf8', (error, bytes) => {
      if (error) reject(error);
      else if (bytes < Buffer.byteLength(text)) reject(new Error('the disk is full'));
      else resolve();
    });
  });

const ageOf = (path: string): number => orUndefined(() => wallMs() - statSync(path).mtimeMs) ?? 0;

const namesIn = (folder: string): readonly string[] =>
  (orUndefined(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(SUFFIX));

/** Returns the lines up to an empty one; `undefined` if the file is gone. */
const readLines = (path: string): readonly string[] | undefined =>
  orUndefined(() => readFileSync(path, 'utf8'))
    ?.split('\n\n', 1)[0]
    ?.split('\n');
