import { readFileSync, statSync, type Stats } from 'node:fs';
import { orUndefined } from '@virgule/core/objects';
import type { Clock } from '@virgule/core/clock';
import { errorCode, errorText } from '@virgule/core/errors';

/** Time in milliseconds for an editor to finish a file that was read empty or half-written. */
const SETTLE_MS = 20;

/**
 * Returns the stats of a path; `undefined` if nothing exists there, including a link to itself, a name that is too
 * long, or a path below a file.
 */
export const statsOf = (path: string): Stats | undefined =>
  orUndefined(() => statSync(path, { throwIfNoEntry: false }));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

/**
 * Reads a file; `undefined` when the file does not exist or cannot be read. Synchronous on purpose: a watcher that
 * scans a large folder fills the thread pool, and an asynchronous read would wait behind it.
 */
export const readSource = (file: string): string | undefined =>
  isFile(file) ? orUndefined(() => readFileSync(file, 'utf8')) : undefined;

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

/**
 * Reads an unusable file again once it has changed: immediately if it has changed already, else after a short wait.
 * Returns `undefined` when the file stayed the same.
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
