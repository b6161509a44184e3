import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the folders of the root and of every workspace package, as in `pnpm-workspace.yaml`. */
export function workspaceFolders() {
  const below = ['packages', 'templates'].flatMap((parent) =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent)).map((name) => join(root, parent, name))
      : [],
  );
  const folders = [root, join(root, 'docs'), ...below.sort((a, b) => (a < b ? -1 : 1))];
  return folders.filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Returns the path of an installed tool of the workspace. */
export function tool(name) {
  return join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}
