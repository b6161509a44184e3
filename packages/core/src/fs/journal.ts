import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { wallMs } from '../clock/real-time.js';
import { errorCode, errorText } from '../errors/error-text.js';
import type { Log } from '../log/log.js';
import { isRecord } from '../objects/is-object.js';
import { isOwnerRunning, ownProcess, type ProcessOwner } from './process-owner.js';
import { writeStateFile } from './state-folder.js';

/**
 * What processes of this machine have open on the platform, so that the next start can close what a process left
 * that is gone.
 */
export interface Journal<Facts extends object> {
  /** Writes that something is open, or its new facts. Returns a function that removes them, unless newer ones were written since. */
  open(key: string, facts: Facts): () => void;
  /**
   * Returns what processes left that are gone. Entries of other bots and platforms, such as the simulator, are not
   * touched until they are older than `maxAgeMs`, nor are those of another machine. One that cannot be read is removed.
   */
  left(): readonly LeftEntry<Facts>[];
}

/** An entry of a process that is gone. */
export interface LeftEntry<Facts extends object> {
  readonly facts: Facts;
  /**
   * Makes it an entry of this process. Returns a function that removes it; `undefined` if another process took it first,
   * or something newer is open.
   */
  readonly claim: () => (() => void) | undefined;
}

export interface JournalOptions<Facts extends object> {
  /** Folder of the journal, with a file for each entry. Without one, nothing is stored. */
  readonly folder: string | undefined;
  /** Address of the platform. */
  readonly baseUrl: string | undefined;
  /** Returns the user id of the bot, as soon as it is known: another bot may use the folder too. @defaultValue none is noted */
  readonly botUserId?: (() => string | undefined) | undefined;
  /** After this, in milliseconds, the entry of another bot, platform or machine is removed. @defaultValue it stays */
  readonly maxAgeMs?: number | undefined;
  /** What the entries are, for the log: `open voice ingresses`. */
  readonly of: string;
  /** Returns the facts of an entry; `undefined` if it has another form. */
  readonly parse: (entry: Readonly<Record<string, unknown>>) => Facts | undefined;
  readonly log: Log;
}

interface Entry extends ProcessOwner {
  readonly host: string;
  readonly baseUrl?: string | undefined;
  readonly bot?: string | undefined;
}

const SUFFIX = '.json';

/** Creates a journal. A disk that cannot be written is logged once, and tolerated. */
export function createJournal<Facts extends object>(
  options: JournalOptions<Facts>,
): Journal<Facts> {
  const { folder, baseUrl, botUserId, maxAgeMs, of, parse, log } = options;
  /** The newest facts of each file. */
  const newest = new Map<string, Facts>();
  const own = ownProcess();
  const host = hostname();
  const logged = new Set<string>();

  function warnOnce(message: string, details: object): void {
    if (logged.has(message)) return;
    logged.add(message);
    log.warn({ folder, ...details }, message);
  }

  /** Returns whether it succeeded. */
  function attempt(name: string, action: (path: string) => void): boolean {
    if (folder === undefined) return false;
    try {
      action(join(folder, name));
      return true;
    } catch (error) {
      // Another process removed it.
      if (errorCode(error) !== 'ENOENT')
        warnOnce(`${of} cannot be remembered for the next start`, { error: errorText(error) });
      return false;
    }
  }

  function open(name: string, facts: Facts): () => void {
    newest.set(name, facts);
    const entry = { ...facts, ...own, host, baseUrl, bot: botUserId?.() } satisfies Entry;
    attempt(name, (path) => writeStateFile(path, JSON.stringify(entry)));
    return () => {
      if (newest.get(name) !== facts) return;
      newest.delete(name);
      // Another process may have written its own since.
      attempt(name, (path) => isOf(path, own) && rmSync(path));
    };
  }

  /** Returns the entry of a file if its process is gone. */
  function readLeft(name: string, path: string): readonly LeftEntry<Facts>[] {
    const entry = readEntry(path);
    const facts = entry && parse(entry);
    if (!facts) {
      warnOnce(`${of} were left by an earlier process in a form that cannot be read`, { name });
      attempt(name, () => rmSync(path));
      return [];
    }
    // Written by `open`, and checked as far as it is used.
    const left = entry as unknown as Entry;
    const isOwn = left.baseUrl === baseUrl && left.bot === botUserId?.();
    if (!isOwn || (left.host !== host && !isSameBoot(left, own))) {
      if (maxAgeMs !== undefined && ageOf(path) > maxAgeMs) attempt(name, () => rmSync(path));
      return [];
    }
    if (isOwnerRunning(left)) return [];
    const claim = (): (() => void) | undefined => {
      // Of several processes, one succeeds in removing it; the name of its own entry is another one.
      const isTaken = !newest.has(name) && isOf(path, left) && attempt(name, () => rmSync(path));
      return isTaken ? open(`${name.slice(0, -SUFFIX.length)}~${SUFFIX}`, facts) : undefined;
    };
    return [{ facts, claim }];
  }

  return {
    open: (key, facts) => open(encodeURIComponent(key) + SUFFIX, facts),
    left: () =>
      folder === undefined
        ? []
        : namesIn(folder).flatMap((name) => readLeft(name, join(folder, name))),
  };
}

/** Returns whether the entry in a file is that of a process. */
function isOf(path: string, { pid, started }: ProcessOwner): boolean {
  const entry = readEntry(path);
  return entry?.['pid'] === pid && entry['started'] === started;
}

/** Returns whether two processes ran since the same start of one machine: a container has a host name of its own. */
const isSameBoot = (one: ProcessOwner, other: ProcessOwner): boolean =>
  bootOf(one) !== undefined && bootOf(one) === bootOf(other);

/** Only Linux has it. */
const bootOf = ({ started }: ProcessOwner): string | undefined =>
  /^(\S+) /.exec(started ?? '')?.[1];

function ageOf(path: string): number {
  try {
    return wallMs() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  } catch {
    return [];
  }
}

function readEntry(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(entry) && typeof entry['pid'] === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}
