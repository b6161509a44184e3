import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { createErrors } from './create-errors.js';

/** What stands where the bot is to go. */
export interface TargetFolder {
  /** Absolute. */
  readonly path: string;
  /** For people: relative to the current folder when it lies inside. */
  readonly label: string;
  readonly exists: boolean;
  /** Names in it that stand in the way: all but the ignored ones that would not be overwritten. */
  readonly conflicts: readonly string[];
  /** Names that are deleted when it is emptied. */
  readonly entries: readonly string[];
}

/** What a fresh repository or an editor leaves behind; no reason to refuse a folder. */
const IGNORED = new Set([
  '.git',
  '.gitignore',
  '.idea',
  '.vscode',
  'LICENSE',
  'README.md',
  '.DS_Store',
]);

/** Kept when a folder is emptied. */
const KEPT = '.git';

/**
 * Looks at the folder before anything is written.
 *
 * @param written - paths of the files to come, relative to the folder.
 * @throws VirguleError `E_CREATE_TARGET_IS_FILE`.
 */
export async function inspectTarget(
  cwd: string,
  folder: string,
  written: readonly string[],
): Promise<TargetFolder> {
  const path = resolve(cwd, folder);
  const label = labelOf(cwd, path);
  const names = await readNames(path, label);
  const overwritten = new Set(written.map((file) => file.split('/')[0]));
  return {
    path,
    label,
    exists: names !== undefined,
    conflicts: (names ?? []).filter((name) => !IGNORED.has(name) || overwritten.has(name)),
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
  // A link that leads nowhere is not there for stat, and still in the way.
  if (!found && (await lstat(path).catch(() => undefined)) === undefined) return undefined;
  if (!found?.isDirectory()) throw createErrors.E_CREATE_TARGET_IS_FILE({ folder: label });
  return (await readdir(path)).toSorted();
}

/**
 * Keeps `--force=empty` away from folders that hold more than a bot.
 *
 * @throws VirguleError `E_CREATE_EMPTY_REFUSED`.
 */
export function assertMayBeEmptied(
  target: TargetFolder,
  cwd: string,
  home: string | undefined,
): void {
  const holds = (inner: string): boolean => `${inner}${sep}`.startsWith(`${target.path}${sep}`);
  const isRoot = parse(target.path).root === target.path;
  const holdsCwd = target.path !== cwd && holds(cwd);
  if (isRoot || holdsCwd || (home !== undefined && holds(home))) {
    throw createErrors.E_CREATE_EMPTY_REFUSED({ folder: target.path });
  }
}

/** The first part of `path`, inside `folder`, that is a file where a folder is needed. */
export async function fileInTheWay(folder: string, path: string): Promise<string | undefined> {
  for (let part = dirname(path); part !== '.'; part = dirname(part)) {
    const found = await stat(join(folder, part)).catch(() => undefined);
    if (found && !found.isDirectory()) return part;
  }
  return undefined;
}
