import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createErrors } from './create-errors.js';

export type TargetFolder = Awaited<ReturnType<typeof inspectTarget>>;

/** Entries of a new repository or an editor. They are no conflict, and are kept. */
const IGNORED = new Set([
  '.editorconfig',
  '.git',
  '.gitattributes',
  '.github',
  '.gitignore',
  '.idea',
  '.vscode',
  'LICENSE',
  'README.md',
  '.DS_Store',
]);

/** Inspects the folder before anything is written. @throws VirguleError `E_CREATE_FOLDER`. */
export async function inspectTarget(cwd: string, folder: string) {
  const path = resolve(cwd, folder);
  const inside = relative(cwd, path);
  const label = inside === '' ? 'This folder' : inside.startsWith('..') ? path : inside;
  const names = await readNames(path, label);
  return {
    /** Absolute path. */
    path,
    /** Path for messages: relative if it is inside the current folder. */
    label,
    exists: names !== undefined,
    conflicts: (names ?? []).filter((name) => !IGNORED.has(name)),
  };
}

async function readNames(path: string, label: string): Promise<string[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  // A broken symbolic link does not exist for stat, but is still a conflict.
  if (!found && (await lstat(path).catch(() => undefined)) === undefined) return undefined;
  if (!found?.isDirectory()) throw createErrors.E_CREATE_FOLDER({ kind: 'file', folder: label });
  return (await readdir(path)).toSorted();
}

/** Returns the part of `path` in `folder` that is a file where a folder is required, or a link out of the folder. */
export async function findBlockingFile(folder: string, path: string): Promise<string | undefined> {
  for (let part = dirname(path); part !== '.'; part = dirname(part)) {
    const found = await stat(join(folder, part)).catch(() => undefined);
    if (!found) continue;
    if (!found.isDirectory()) return part;
    const inside = `${await realpath(folder)}${sep}`;
    if (!(await realpath(join(folder, part))).startsWith(inside)) return part;
  }
  return undefined;
}
