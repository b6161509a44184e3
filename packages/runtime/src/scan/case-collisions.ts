import type { SourceFile } from './project-paths.js';

/**
 * Returns pairs of folders or files in `folder` whose paths differ only in upper and lower case. The
 * contents of two such folders are not reported again.
 */
export function caseCollisions(folder: string, files: readonly SourceFile[]): [string, string][] {
  const firstByKey = new Map<string, string>();
  const reported = new Set<string>();
  const collisions: [string, string][] = [];
  for (const { file } of files) {
    let parent = folder;
    for (const name of file.slice(folder.length + 1).split('/')) {
      const path = `${parent}/${name}`;
      // Only the last name is folded, so the children of two colliding folders do not meet.
      const key = `${parent}/${name.normalize('NFC').toLowerCase()}`;
      const first = firstByKey.get(key);
      if (first === undefined) firstByKey.set(key, path);
      else if (first !== path && !reported.has(path)) {
        reported.add(path);
        collisions.push([first, path]);
      }
      parent = path;
    }
  }
  return collisions;
}
