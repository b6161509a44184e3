import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Returns the path, such as `..`, from a folder to the closest parent that is a package and contains one of these
 * files or folders; `undefined` if there is none.
 */
export function parentWith(folder: string, names: readonly string[]): string | undefined {
  for (let at = dirname(folder); ; at = dirname(at)) {
    const isFound = names.some((name) => existsSync(join(at, name)));
    if (isFound && existsSync(join(at, 'package.json'))) return relative(folder, at);
    if (dirname(at) === at) return undefined;
  }
}
