import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
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

const KEPT = '.git';

/** Inspects the folder before anything is written. @throws VirguleError `E_CREATE_FOLDER`. */
export async function inspectTarget(cwd: string, folder: string) {
  const path = resolve(cwd, folder);
  const label = labelOf(cwd, path);
  const names = await readNames(path, label);
  return {
    /** Absolute path. */
    path,
    /** Path for messages: relative if it is inside the current folder. */
    label,
    exists: names !== undefined,
    conflicts: (names ?? []).filter((name) => !IGNORED.has(name)),
    /** Names of the entries to delete with `--force=empty`. */
    entries: (names ?? []).filter((name) => name !== KEPT),
  };
}

function labelOf(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  if (inside === '') return 'This folder';
  return inside.startsWith('..') ? path : inside;
}

async function readNames(path: string, label: string): Promise<string[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  // A broken symbolic link does not exist for stat, but is still a conflict.
  if (!found && (await lstat(path).catch(() => undefined)) === undefined) return undefined;
  if (!found?.isDirectory()) throw createErrors.E_CREATE_FOLDER({ kind: 'file', folder: label });
  return (await readdir(path)).toSorted();
}

/**
 * Prevents `--force=empty` from deleting a folder that contains more than a bot.
 *
 * @throws VirguleError `E_CREATE_FOLDER`.
 */
export async function assertMayBeEmptied(
  target: TargetFolder,
  cwd: string,
  home: string | undefined,
): Promise<void> {
  // A link may lead to any folder.
  const [path, here, homePath] = await Promise.all([target.path, cwd, home].map(realPath));
  const contains = (inner: string | undefined): boolean =>
    inner !== undefined && `${inner}${sep}`.startsWith(`${path}${sep}`);
  const isRoot = path !== undefined && parse(path).root === path;
  // The current folder itself may be emptied, but not through another path.
  const containsHere = target.path !== cwd && contains(here);
  if (isRoot || containsHere || contains(homePath)) {
    throw createErrors.E_CREATE_FOLDER({ kind: 'not-emptied', folder: target.path });
  }
}

async function realPath(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : realpath(path).catch(() => resolve(path));
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
