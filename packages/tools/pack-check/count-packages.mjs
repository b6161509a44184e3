import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../repository.mjs';
import { expect } from './run-or-throw.mjs';

/**
 * Returns the size of a package without the packages nested in it.
 *
 * @param {string} folder
 * @param {Set<string>} seen inodes that were counted: the installation of esbuild links its binary twice
 */
function bytesOf(folder, seen) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOf(path, seen);
    if (!entry.isFile()) return sum;
    const { dev, ino, size } = statSync(path);
    const isLink = seen.has(`${dev}:${ino}`);
    seen.add(`${dev}:${ino}`);
    return sum + (isLink ? 0 : size);
  }, 0);
}

/**
 * Counts the installed packages, and checks that none of ours came from a registry.
 *
 * @param {string} bot folder of the bot
 * @param {{ packages?: number, megabytes?: number }} limits of production
 * @returns {string[]} packages and megabytes, as lines
 */
export function countPackages(bot, { packages: maxPackages = 30, megabytes = 33 }) {
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
  const { dependencies } = readJson(join(bot, 'package.json'));
  const audio = all.filter(([path]) =>
    /node_modules\/(@virgule\/voice|node-datachannel|werift)$/.test(path),
  );
  expect(
    audio.length === 0 || '@virgule/voice' in dependencies,
    `a bot without voice installs ${audio.map(([path]) => path).join(', ')}`,
  );
  const lists = { 'the bot': all.filter(([, { dev }]) => !dev), 'the bot and its tools': all };
  return Object.entries(lists).map(([label, list]) => {
    const seen = new Set();
    const bytes = list.reduce((sum, [path]) => sum + bytesOf(join(bot, path), seen), 0);
    const isWithin = list.length <= maxPackages && bytes <= megabytes * 1e6;
    expect(
      label !== 'the bot' || isWithin,
      `a bot has ${list.length} packages and ${(bytes / 1e6).toFixed(1)} MB in production`,
    );
    return `${label}: ${list.length} packages, ${(bytes / 1e6).toFixed(1)} MB`;
  });
}
