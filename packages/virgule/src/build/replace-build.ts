import type * as disk from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_FOLDER } from '@virgule/core/fs';
import { cliErrors } from '../terminal/cli-errors.js';

/** File operations of a build, so that a test can simulate a full disk. */
export type BuildFiles = Pick<
  typeof disk,
  'copyFile' | 'mkdir' | 'rename' | 'rm' | 'stat' | 'writeFile'
>;

/** Hint for a path that cannot be read or written. */
export const FREE_PATH =
  'Make that path accessible, or free disk space, and build again. The previous build is unchanged.';

/** Removes a path with everything below it. A path that does not exist is no error. */
export const removeAll = (files: BuildFiles, path: string): Promise<void> =>
  files.rm(path, { recursive: true, force: true });

/** Returns the folder of the new build until it is complete. */
export const draftFolder = (root: string): string => join(root, STATE_FOLDER, 'build');

/**
 * Replaces an earlier build with a new one. If a step fails, the earlier build is restored. The last name, the
 * program, is removed first and placed last: at whatever time this process is killed, no program mixes parts of both
 * builds.
 *
 * @param names - names directly in `dist/` of both builds, in the order in which they are placed.
 */
export async function replaceBuild(root: string, names: readonly string[], files: BuildFiles) {
  const draft = draftFolder(root);
  const output = join(root, 'dist');
  // On the same disk, because files are moved.
  const backup = join(root, STATE_FOLDER, 'build-before');
  const kindOf = (path: string) =>
    files.stat(path).then(
      (found) => (found.isDirectory() ? 'folder' : 'file'),
      () => undefined,
    );
  await removeAll(files, backup);
  await files.mkdir(backup, { recursive: true });
  await files.mkdir(output, { recursive: true });
  const away: string[] = [];
  const placed: string[] = [];
  try {
    for (const name of names.toReversed()) {
      const [old, next] = await Promise.all([
        kindOf(join(output, name)),
        kindOf(join(draft, name)),
      ]);
      if (old === undefined) continue;
      if (next !== undefined && old !== next) {
        // A folder in place of a file, or the reverse, is not part of a build.
        const reason = `E${old === 'folder' ? 'IS' : 'NOT'}DIR: a ${old} is in the way, '${join(output, name)}'`;
        throw cliErrors.E_BUILD_FAILED({ reason, advice: FREE_PATH });
      }
      await files.rename(join(output, name), join(backup, name));
      away.push(name);
    }
    for (const name of names) {
      if ((await kindOf(join(draft, name))) === undefined) continue;
      await files.rename(join(draft, name), join(output, name));
      placed.push(name);
    }
  } catch (error) {
    for (const name of placed.toReversed()) await removeAll(files, join(output, name));
    for (const name of away.toReversed())
      await files.rename(join(backup, name), join(output, name));
    throw error;
  }
  await removeAll(files, backup);
}
