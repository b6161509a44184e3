import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { orUndefined } from '../objects/or-undefined.js';
import { inheritOwner } from './inherit-owner.js';

/** Folder for the state of a bot's commands and processes, relative to its root. */
export const STATE_FOLDER = '.virgule';

/** Mode of a file that only its owner may read and write. */
export const STATE_FILE_MODE = 0o600;
const STATE_FOLDER_MODE = 0o700;
const RIGHTS_OF_OTHERS = 0o077;

/** Creates a private folder and its missing parents. An existing `.virgule` becomes private too; others may be shared. */
export function makeStateFolder(path: string): void {
  makeFolder(path, STATE_FOLDER_MODE);
  const parts = path.split(sep);
  const at = parts.lastIndexOf(STATE_FOLDER);
  if (at >= 0) tighten(parts.slice(0, at + 1).join(sep));
}

/** Creates a folder and its missing parents, which belong to the owner of the folder that they are in. */
export function makeFolder(path: string, mode?: number): void {
  const first = mkdirSync(resolve(path), { recursive: true, mode });
  for (let made = resolve(path); first && made.length >= first.length; made = dirname(made))
    inheritOwner(made, dirname(first));
}

/** Writes a private file atomically. Creates its folder if it is missing. */
export function writeStateFile(path: string, text: string): void {
  makeStateFolder(dirname(path));
  // A file that remained after a crash keeps its permissions.
  replaceFile(path, text, tighten, STATE_FILE_MODE);
}

type Prepare = (next: string) => void;

/** Writes a file atomically. @param prepare - sets the rights of the new file before it replaces the old one. */
export function replaceFile(path: string, text: string, prepare: Prepare, mode = 0o666): void {
  // Another file, so that a crash leaves no partial file; of this process, so that writes do not mix.
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode });
    inheritOwner(next);
    prepare(next);
    renameSync(next, path);
  } catch (error) {
    orUndefined(() => rmSync(next, { force: true }));
    throw error;
  }
}

/** Removes the permissions of other accounts, unless the disk has none or the file has another owner. */
function tighten(path: string): void {
  try {
    const found = lstatSync(path);
    const isOpen = (found.mode & RIGHTS_OF_OTHERS) !== 0;
    if (isOpen && !found.isSymbolicLink()) chmodSync(path, found.mode & STATE_FOLDER_MODE);
  } catch {
    // The write reports the error if it fails too.
  }
}
