import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../repository.mjs';
import { expect } from './run-or-throw.mjs';

/** Returns the size of a package without the packages nested in it. */
function bytesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOf(path);
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

/**
 * Counts the installed packages, and checks that none of ours came from a registry.
 *
 * @param {string} bot folder of the bot
 * @returns {string[]} packages and megabytes, as lines
 */
export function countPackages(bot) {
  const { packages } = readJson(join(bot, 'node_modules/.package-lock.json'));
  const all = Object.entries(packages);
  const foreign = all.filter(
    ([path, { resolved = '' }]) =>
      /node_modules\/(virgule|@virgule\/[^/]+)$/.test(path) && !resolved.startsWith('file:'),
  );
  expect(
    foreign.length === 0,
    `not installed from a tarball: ${foreign.map(([path]) => path).join(', ')}`,
  );
  const lists = { 'the bot': all.filter(([, { dev }]) => !dev), 'the bot and its tools': all };
  return Object.entries(lists).map(([label, list]) => {
    const bytes = list.reduce((sum, [path]) => sum + bytesOf(join(bot, path)), 0);
    return `${label}: ${list.length} packages, ${(bytes / 1e6).toFixed(1)} MB`;
  });
}
