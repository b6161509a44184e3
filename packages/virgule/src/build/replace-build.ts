import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a build does on disk, so that a test can fill it. */
export const nodeFiles = {
  /** Returns the kind of what is there; `undefined` if nothing is. */
  kindOf: (path: string): Promise<'file' | 'folder' | undefined> =>
    stat(path).then(
      (found) => (found.isDirectory() ? 'folder' : 'file'),
      () => undefined,
    ),
  makeFolder: (path: string): Promise<unknown> => mkdir(path, { recursive: true }),
  /** Removes a path with everything below it. A path that does not exist is no error. */
  remove: (path: string): Promise<void> => rm(path, { recursive: true, force: true }),
  write: (path: string, content: string | Uint8Array): Promise<void> => writeFile(path, content),
  copy: (from: string, to: string): Promise<void> => copyFile(from, to),
  move: (from: string, to: string): Promise<void> => rename(from, to),
};
export type BuildFiles = typeof nodeFiles;

export interface ReplaceBuildOptions {
  readonly files: BuildFiles;
  /** The folder that holds the new build. */
  readonly draft: string;
  /** The folder of the build that is replaced. */
  readonly output: string;
  /** Where the old one is kept until the new one is whole; on the same disk. */
  readonly backup: string;
  /** What a build may consist of, in the order it is put in place. */
  readonly names: readonly string[];
}

/**
 * Puts a build in the place of an earlier one. If a step fails, the earlier one is restored. The last name, the program, is the
 * first to go and the last to come: whenever this process is killed, no program is there that has parts of both.
 */
export async function replaceBuild(options: ReplaceBuildOptions): Promise<void> {
  const { files, draft, output, backup, names } = options;
  await files.remove(backup);
  await files.makeFolder(backup);
  await files.makeFolder(output);
  const away: string[] = [];
  const placed: string[] = [];
  try {
    for (const name of names.toReversed()) {
      const [old, next] = await Promise.all([
        files.kindOf(join(output, name)),
        files.kindOf(join(draft, name)),
      ]);
      if (old === undefined) continue;
      if (next !== undefined && old !== next) throw inTheWay(join(output, name), old);
      await files.move(join(output, name), join(backup, name));
      away.push(name);
    }
    for (const name of names) {
      if ((await files.kindOf(join(draft, name))) === undefined) continue;
      await files.move(join(draft, name), join(output, name));
      placed.push(name);
    }
  } catch (error) {
    for (const name of placed.toReversed()) await files.remove(join(output, name));
    for (const name of away.toReversed()) await files.move(join(backup, name), join(output, name));
    throw error;
  }
  await files.remove(backup);
}

/** Returns the error for a path that is not part of a build, which is not moved. */
function inTheWay(path: string, kind: 'file' | 'folder'): Error {
  const code = kind === 'folder' ? 'EISDIR' : 'ENOTDIR';
  return Object.assign(new Error(`${code}: a ${kind} is in the way, '${path}'`), {
    code,
    syscall: 'rename',
  });
}
