import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Folders of the root and of every workspace package, as `pnpm-workspace.yaml` lists them. */
export function workspaceFolders() {
  const below = ['packages', 'templates'].flatMap((parent) =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent)).map((name) => join(root, parent, name))
      : [],
  );
  const folders = [root, join(root, 'docs'), ...below.sort((a, b) => (a < b ? -1 : 1))];
  return folders.filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Path of a tool that the workspace installed. */
export function tool(name) {
  return join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}
