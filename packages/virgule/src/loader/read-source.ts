import { readFileSync, statSync, type Stats } from 'node:fs';
import { orUndefined } from '@virgule/core/objects';
import type { Clock } from '@virgule/core/clock';
import { errorCode, errorText } from '@virgule/core/errors';

/** How long an editor is given to finish a file that was seen empty or half-written. */
const SETTLE_MS = 20;

/**
 * Returns what is at a path; `undefined` if nothing is, or nothing can be: a link to itself, a name that is too long, or a
 * path below a file.
 */
export const statsOf = (path: string): Stats | undefined =>
  orUndefined(() => statSync(path, { throwIfNoEntry: false }));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

/**
 * Reads a file; `undefined` when there is none, or it cannot be read. Synchronous on purpose: a watcher that scans a
 * large folder fills the thread pool, and an asynchronous read would wait behind it.
 */
export const readSource = (file: string): string | undefined =>
  isFile(file) ? orUndefined(() => readFileSync(file, 'utf8')) : undefined;

/** Returns why a file cannot be read, if there is one. */
export function whyUnreadable(file: string): string | undefined {
  if (!isFile(file)) return undefined;
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : errorText(error);
  }
}

/**
 * Reads a file again that could not be used, once it has changed: at once when it changed already,
 * else after a short wait. `undefined` when it stayed the same.
 */
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
