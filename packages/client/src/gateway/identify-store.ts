import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '@virgule/core/log';

/** Remembers when the bot identified, so that a restart does not begin anew. */
export interface IdentifyStore {
  /** Times in milliseconds since the epoch, oldest first; none when nothing can be read. */
  load(): readonly number[];
  save(identifiedAtMs: readonly number[]): void;
}

/**
 * Keeps them in a small JSON file. Written at once and at every IDENTIFY, since a bot that crashes
 * right after it is the one this is for. A disk that cannot be written is told once, and lived with.
 */
export function createIdentifyFile(path: string, log: Log): IdentifyStore {
  let isTold = false;

  function tell(error: unknown, message: string): void {
    if (isTold) return;
    isTold = true;
    log.warn({ path, error: String(error) }, message);
  }

  return {
    load() {
      try {
        return readTimes(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        if (Object(error).code !== 'ENOENT') {
          tell(error, 'the state of the gateway cannot be read; the bot starts without it');
        }
        return [];
      }
    },
    save(identifiedAtMs) {
      try {
        mkdirSync(dirname(path), { recursive: true });
        // In two steps: a crash in between must not leave half a file.
        writeFileSync(`${path}.new`, JSON.stringify({ identifiedAtMs }));
        renameSync(`${path}.new`, path);
      } catch (error) {
        tell(error, 'the state of the gateway cannot be written; a restart will not know of it');
      }
    },
  };
}

/** Whatever else stands in the file is left out: it is only there to slow the bot down. */
function readTimes(state: unknown): readonly number[] {
  const times: unknown = Object(state).identifiedAtMs;
  if (!Array.isArray(times)) throw new TypeError('it has no list identifiedAtMs');
  return times.filter((atMs) => Number.isFinite(atMs)).toSorted((a, b) => a - b);
}
