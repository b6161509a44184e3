import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** @type {Map<string, string | undefined>} */
const roots = new Map();

/** @param {string} folder */
function findRoot(folder) {
  if (!roots.has(folder)) {
    const parent = dirname(folder);
    const here = existsSync(join(folder, 'pnpm-workspace.yaml'));
    roots.set(folder, here ? folder : parent === folder ? undefined : findRoot(parent));
  }
  return roots.get(folder);
}

/**
 * Returns the path of a file in its workspace, with forward slashes, regardless of the current folder.
 *
 * @param {string} filename absolute
 */
export function repositoryPath(filename) {
  const root = findRoot(dirname(filename));
  if (root === undefined) return undefined;
  return { root, path: relative(root, filename).split(sep).join('/') };
}
