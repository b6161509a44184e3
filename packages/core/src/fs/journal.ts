import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../errors/error-text.js';
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
   * Returns what processes left that are gone. Entries of other machines, and of another platform such as the
   * simulator, are not touched.
   */
  left(): readonly LeftEntry<Facts>[];
}

/** An entry of a process that is gone. */
export interface LeftEntry<Facts extends object> {
  readonly facts: Facts;
  /** Removes it. */
  readonly forget: () => void;
}

export interface JournalOptions<Facts extends object> {
  /** Folder of the journal, with a file for each entry. Without one, nothing is stored. */
  readonly folder: string | undefined;
  /** Address of the platform. */
  readonly baseUrl: string | undefined;
  /** What the entries are, for the log: `open voice ingresses`. */
  readonly of: string;
  /** Returns the facts of an entry; `undefined` if it has another form. */
  readonly parse: (entry: Readonly<Record<string, unknown>>) => Facts | undefined;
  readonly log: Log;
}

interface Entry extends ProcessOwner {
  readonly host: string;
  readonly baseUrl?: string | undefined;
}

const SUFFIX = '.json';

/** Creates a journal. A disk that cannot be written is logged once, and tolerated. */
export function createJournal<Facts extends object>(
  options: JournalOptions<Facts>,
): Journal<Facts> {
  const { folder, baseUrl, of, parse, log } = options;
  /** The newest facts of each file. */
  const newest = new Map<string, Facts>();
  const owner: Entry = { ...ownProcess(), host: hostname(), baseUrl };
  let isLogged = false;

  function attempt(name: string, action: (path: string) => void): void {
    if (folder === undefined) return;
    try {
      action(join(folder, name));
    } catch (error) {
      if (isLogged) return;
      isLogged = true;
      log.warn(
        { folder, error: errorText(error) },
        `${of} cannot be remembered for the next start`,
      );
    }
  }

  function forget(name: string, { pid, started }: ProcessOwner, facts?: Facts): void {
    if (newest.get(name) !== facts) return;
    newest.delete(name);
    attempt(name, (path) => {
      // Another process may have written its own since.
      const entry = readEntry(path);
      if (entry?.['pid'] === pid && entry['started'] === started) rmSync(path, { force: true });
    });
  }

  return {
    open(key, facts) {
      const name = encodeURIComponent(key) + SUFFIX;
      newest.set(name, facts);
      attempt(name, (path) => writeStateFile(path, JSON.stringify({ ...facts, ...owner })));
      return () => forget(name, owner, facts);
    },
    left() {
      if (folder === undefined) return [];
      return namesIn(folder).flatMap((name) => {
        const entry = readEntry(join(folder, name));
        if (!entry || entry['host'] !== owner.host || entry['baseUrl'] !== baseUrl) return [];
        // Written by `open`, and checked as far as it is used.
        const left = entry as unknown as Entry;
        if (isOwnerRunning(left)) return [];
        const facts = parse(entry);
        return facts ? [{ facts, forget: () => forget(name, left) }] : [];
      });
    },
  };
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
