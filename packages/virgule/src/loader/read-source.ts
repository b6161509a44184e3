import { readFileSync, statSync, type Stats } from 'node:fs';
import { orUndefined } from '@virgule/core/objects';
import { systemClock, type Clock } from '@virgule/core/clock';
import { errorCode, errorText } from '@virgule/core/errors';

/** Time in milliseconds for an editor to finish a file that was read empty or half-written. */
const SETTLE_MS = 20;

/** Returns the stats of a path; `undefined` if nothing exists there, or nothing can. */
export const statsOf = (path: string): Stats | undefined =>
  orUndefined(() => statSync(path, { throwIfNoEntry: false }));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

/** Reads a file; `undefined` if it cannot be read. Synchronous: an asynchronous read may wait behind a folder scan. */
export const readSource = (file: string): string | undefined =>
  isFile(file) ? orUndefined(() => readFileSync(file, 'utf8')) : undefined;

/** Time in milliseconds after a change in which another change may leave the stats of a file equal. */
const STATS_RESOLUTION_MS = 100;

/** Returns a `readSource` that reads a file again only after a change. */
export function createSourceMemory(): typeof readSource {
  const known = new Map<string, { readonly version: string; readonly text: string }>();
  return (file) => {
    const stats = statsOf(file);
    if (!stats) return undefined;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const version = [ino, size, mtimeMs, ctimeMs].join();
    const before = known.get(file);
    if (before?.version === version) return before.text;
    const text = readSource(file);
    const isOld = systemClock.now() - ctimeMs > STATS_RESOLUTION_MS;
    if (text !== undefined && isOld) known.set(file, { version, text });
    return text;
  };
}

/** Returns the reason why a file cannot be read; `undefined` if the file is readable or does not exist. */
export function whyUnreadable(file: string): string | undefined {
  if (!isFile(file)) return undefined;
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : errorText(error);
  }
}

/** Reads an unusable file again, after a short wait if it has not changed; `undefined` if it stays the same. */
export async function readChangedSource(
  file: string,
  previous: string,
  clock: Clock,
): Promise<string | undefined> {
  const isSame = (text = previous): boolean => text === previous;
  if (isSame(readSource(file))) await clock.sleep(SETTLE_MS);
  const text = readSource(file);
  return isSame(text) ? undefined : text;
}
