import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** The folder in which a bot's commands and processes keep what they remember, from its root. */
export const STATE_FOLDER = '.virgule';

/** Mode of a file that its owner alone may read and write. */
export const STATE_FILE_MODE = 0o600;
const STATE_FOLDER_MODE = 0o700;
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Makes a folder that only the account of this process may open, and those above it that are missing.
 * Takes the rights of other accounts from a `.virgule` folder that exists; any other folder that exists
 * may be shared on purpose, and is left as it is.
 */
export function makeStateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: STATE_FOLDER_MODE });
  const parts = path.split(sep);
  const at = parts.lastIndexOf(STATE_FOLDER);
  if (at >= 0) tighten(parts.slice(0, at + 1).join(sep));
}

/**
 * Writes a file that only the account of this process may read: as a whole, or not at all. Makes its
 * folder when that is missing.
 */
export function writeStateFile(path: string, text: string): void {
  makeStateFolder(dirname(path));
  // In two steps: a crash in between must not leave half a file.
  const next = `${path}.new`;
  try {
    writeFileSync(next, text, { mode: STATE_FILE_MODE });
    // One that a crash left behind keeps the rights it had.
    tighten(next);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** Does nothing where it cannot: on a disk without rights, or for a folder of another account. */
function tighten(path: string): void {
  try {
    const found = lstatSync(path);
    const isOpen = (found.mode & RIGHTS_OF_OTHERS) !== 0;
    if (isOpen && !found.isSymbolicLink()) chmodSync(path, found.mode & STATE_FOLDER_MODE);
  } catch {
    // Writing there fails by itself, if at all.
  }
}
