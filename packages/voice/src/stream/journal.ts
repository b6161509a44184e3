import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { writeStateFile } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';

/** The ingresses that this machine has opened, so that the next start closes those of a process that is gone. */
export interface Journal {
  /** An ingress is being opened. Returns what forgets it, unless another one of the channel was opened since. */
  opened(channelId: string): () => void;
  /**
   * Returns those of processes of this machine that are gone. Those of other machines, and of another platform such as the
   * simulator, are not touched.
   */
  left(): readonly Left[];
}

interface Left {
  readonly channelId: string;
  readonly closed: () => void;
}

interface Entry {
  readonly channelId: string;
  readonly pid: number;
  /** When that process was started: in a container, a bot has the same id each time. */
  readonly startedMs: number;
  readonly host: string;
  /** Address of the platform. */
  readonly baseUrl?: string | undefined;
  /** When the machine was started, on Linux: after that, another process may have the same id. */
  readonly bootId?: string | undefined;
}

/** Creates a journal in a folder: a file for each channel. Without a folder, it stores nothing. */
export function createJournal(
  folder: string | undefined,
  { baseUrl, log }: { readonly baseUrl?: string | undefined; readonly log: Log },
): Journal {
  /** The newest entry of each channel. */
  const newest = new Map<string, Entry>();
  const host = hostname();
  const bootId = readBootId();
  const attempt = (action: (path: string) => void, channelId: string): void => {
    if (folder === undefined) return;
    try {
      action(join(folder, `${encodeURIComponent(channelId)}.json`));
    } catch (error) {
      log.warn({ error: errorText(error) }, 'open voice ingresses cannot be remembered');
    }
  };
  const forget = (channelId: string, entry?: Entry): void => {
    if (newest.get(channelId) !== entry) return;
    newest.delete(channelId);
    attempt((path) => rmSync(path, { force: true }), channelId);
  };
  const isOurs = (entry: Entry): boolean => entry.host === host && entry.baseUrl === baseUrl;
  return {
    opened(channelId) {
      const { pid } = process;
      const startedMs = performance.timeOrigin;
      const entry: Entry = { channelId, pid, startedMs, host, baseUrl, bootId };
      newest.set(channelId, entry);
      attempt((path) => writeStateFile(path, JSON.stringify(entry)), channelId);
      return () => forget(channelId, entry);
    },
    left() {
      if (folder === undefined) return [];
      return namesIn(folder)
        .flatMap((name) => readEntry(join(folder, name)) ?? [])
        .filter((entry) => isOurs(entry) && !(entry.bootId === bootId && isAlive(entry)))
        .map(({ channelId }) => ({ channelId, closed: () => forget(channelId) }));
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function readEntry(path: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(entry) && typeof Reflect.get(entry, 'channelId') === 'string'
      ? // Written by `opened`, and checked as far as it is used.
        (entry as unknown as Entry)
      : undefined;
  } catch {
    return undefined;
  }
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedMs }: Entry): boolean {
  if (pid === process.pid) return startedMs === performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
