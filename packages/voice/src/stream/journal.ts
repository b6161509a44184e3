import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { writeStateFile } from '@virgule/core/fs';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';

/** The ingresses that this machine has opened, so that the next start closes those of a process that is gone. */
export interface Journal {
  /** An ingress is being opened. */
  opened(channelId: string): void;
  closed(channelId: string): void;
  /** Returns the channels of processes of this machine that are gone. Those of other machines are not touched. */
  left(): readonly string[];
}

interface Entry {
  readonly channelId: string;
  readonly pid: number;
  /** When that process was started: in a container, a bot has the same id each time. */
  readonly startedMs: number;
  readonly host: string;
  /** When the machine was started, on Linux: after that, another process may have the same id. */
  readonly bootId?: string | undefined;
}

/** Creates a journal in a folder: a file for each channel. Without a folder, it stores nothing. */
export function createJournal(folder: string | undefined, log: Log): Journal {
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
  return {
    opened(channelId) {
      const { pid } = process;
      const entry: Entry = { channelId, pid, startedMs: performance.timeOrigin, host, bootId };
      attempt((path) => writeStateFile(path, JSON.stringify(entry)), channelId);
    },
    closed(channelId) {
      attempt((path) => rmSync(path, { force: true }), channelId);
    },
    left() {
      if (folder === undefined) return [];
      return namesIn(folder)
        .map((name) => readEntry(join(folder, name)))
        .filter((entry) => entry?.host === host && !(entry.bootId === bootId && isAlive(entry)))
        .flatMap((entry) => entry?.channelId ?? []);
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
