import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns the paths of the files in a folder, relative to the root, without ignored files: a build that runs at the same
 * time replaces these.
 */
export function repositoryFiles(folder = '.') {
  const options = ['--cached', '--others', '--exclude-standard', '--', folder];
  const names = execFileSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8' });
  return names.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
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
