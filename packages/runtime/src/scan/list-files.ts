import { errorCode, errorText } from '@virgule/core/errors';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { COMMAND_FOLDERS, EVENT_FOLDERS, TASK_FOLDERS } from './scan.js';

/** Folders whose subfolders are not read. */
const FLAT = ['', 'src'];
/** Folders that are read with all their subfolders. */
const DEEP = [...COMMAND_FOLDERS, ...EVENT_FOLDERS, ...TASK_FOLDERS];
const SKIPPED = new Set(['node_modules', 'dist']);

/**
 * Lists the files that can be part of a bot: sorted paths relative to the root of the project, with `/`. Reads only
 * the root, `src/`, and the folders of commands, events and tasks. Follows symbolic links; reads a folder that is
 * reached twice only once, so that a cycle ends.
 *
 * @throws VirguleError `E_PROJECT_UNREADABLE` if a folder exists but cannot be read.
 */
export async function listProjectFiles(root: string): Promise<string[]> {
  const files = new Set<string>();
  for (const folder of FLAT)
    for (const file of (await readFolder(root, folder)).files) files.add(file);
  const seen = new Set<string>();
  const pending = [...DEEP];
  const links: string[] = [];
  // Links are read after all folders, so that a file keeps its own path.
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop() ?? links.shift()) {
    const real = await realpath(join(root, folder)).catch(() => null);
    if (real === null || seen.has(real)) continue;
    seen.add(real);
    const found = await readFolder(root, folder);
    for (const file of found.files) files.add(file);
    pending.push(...found.folders);
    links.push(...found.linkedFolders);
  }
  return [...files].sort();
}

async function readFolder(root: string, folder: string) {
  const directory = join(root, folder);
  const found = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    const reason = errorText(error);
    throw runtimeErrors.E_PROJECT_UNREADABLE({ path: directory, reason }, { cause: error });
  });
  const files: string[] = [];
  const folders: string[] = [];
  const linkedFolders: string[] = [];
  for (const item of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (item.name.startsWith('.') || SKIPPED.has(item.name)) continue;
    const path = folder === '' ? item.name : `${folder}/${item.name}`;
    if (item.isFile()) files.push(path);
    else if (item.isDirectory()) folders.push(path);
    else if (item.isSymbolicLink()) {
      const target = await stat(join(root, path)).catch(() => null);
      if (target?.isDirectory()) linkedFolders.push(path);
      // A link without a target is listed, because its failed import must be reported: it may be the guard of its folder.
      else if (!target || target.isFile()) files.push(path);
    }
  }
  return { files, folders, linkedFolders };
}
