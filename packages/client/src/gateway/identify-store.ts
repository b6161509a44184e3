import type { Log } from '@virgule/core/log';
import { createStateFile } from '@virgule/core/fs';

/** Remembers when the bot identified, so that a restart does not begin at 0. */
export interface IdentifyStore {
  /** Times in milliseconds since the epoch, oldest first; none when nothing can be read. */
  load(): readonly number[];
  save(identifiedAtMs: readonly number[]): void;
}

/**
 * Keeps them in a small JSON file. Written at once and at every IDENTIFY, since a bot that crashes
 * right after it is the one this is for.
 */
export function createIdentifyFile(path: string, log: Log): IdentifyStore {
  const file = createStateFile({ path, of: 'the gateway', log });
  return {
    load: () => file.read(readTimes) ?? [],
    save: (identifiedAtMs) => file.write({ identifiedAtMs }),
  };
}

/** Anything else in the file is ignored: it is only there to slow the bot down. */
function readTimes(state: unknown): readonly number[] {
  const times: unknown = Object(state).identifiedAtMs;
  if (!Array.isArray(times)) throw new TypeError('it has no list identifiedAtMs');
  return times.filter((atMs) => Number.isFinite(atMs)).toSorted((a, b) => a - b);
}
