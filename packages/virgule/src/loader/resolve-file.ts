import path from 'node:path';
import { isFile } from './read-source.js';

/** Tried after a path without a file, in the order bundlers have. */
const EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js', '.json'];

/** What TypeScript calls `./x.js` may be any of these on disk. */
const SOURCE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/**
 * Finds the file that an import of the absolute path `target` means: the file itself, the same with
 * an extension, the TypeScript source of a `.js` name, or the index file of a folder. A trailing
 * slash leaves only the last.
 */
export function resolveFile(target: string): string | undefined {
  for (const candidate of candidatesOf(target)) if (isFile(candidate)) return candidate;
  return undefined;
}

function* candidatesOf(target: string): Generator<string> {
  if (!target.endsWith('/') && !target.endsWith(path.sep)) {
    yield target;
    for (const extension of EXTENSIONS) yield target + extension;
    const extension = path.extname(target);
    const stem = target.slice(0, target.length - extension.length);
    for (const source of SOURCE_EXTENSIONS[extension] ?? []) yield stem + source;
  }
  for (const extension of EXTENSIONS) yield path.join(target, `index${extension}`);
}
