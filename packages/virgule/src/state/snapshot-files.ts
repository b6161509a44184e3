import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import type { SnapshotStore } from '@virgule/simulator';

const ENDING = '.jsonl';
/** The files that are written here: any other name would reach the terminal and the page. */
const FILE = /^[\w-][\w.-]{0,63}\.jsonl$/;

/** Keeps the snapshots of a project's simulator as files, in the format of the saved chat. */
export function createSnapshotFiles(root: string): SnapshotStore {
  const folder = join(root, STATE_FOLDER, 'snapshots');
  const fileOf = (name: string): string => join(folder, `${name}${ENDING}`);
  return {
    names() {
      try {
        return readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile() && FILE.test(entry.name))
          .map(({ name }) => name.slice(0, -ENDING.length));
      } catch {
        // No snapshot was saved yet.
        return [];
      }
    },
    read(name) {
      try {
        return readFileSync(fileOf(name), 'utf8');
      } catch {
        return undefined;
      }
    },
    write: (name, lines) => writeStateFile(fileOf(name), [...lines].join('')),
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}
