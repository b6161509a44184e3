import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import type { SnapshotStore } from '@virgule/simulator';

/** Matches valid names of stored files: any other name would reach the terminal and the page. */
const NAME = /^[\w-][\w.-]{0,63}$/;

/** Stores the snapshots of a project's simulator as files, in the format of the saved chat. */
export const createSnapshotFiles = (root: string): SnapshotStore =>
  createFiles(join(root, STATE_FOLDER, 'snapshots'), '.jsonl', writeStateFile);

/** Stores the conversations of a project in its folder `conversations`. */
export function createConversationFiles(root: string): SnapshotStore {
  const folder = join(root, 'conversations');
  return createFiles(folder, '.txt', (file, text) => {
    mkdirSync(folder, { recursive: true });
    // A link keeps its target, a file its rights, and a new one has those of its folder.
    const target = orUndefined(() => realpathSync(file)) ?? file;
    const found = orUndefined(() => statSync(target).mode);
    writeStateFile(target, text);
    orUndefined(() => chmodSync(target, found ?? statSync(folder).mode & 0o666));
  });
}

/** Stores texts by name as files of a folder. */
export function createFiles(
  folder: string,
  ending: string,
  write: (file: string, text: string) => void,
): SnapshotStore {
  const fileOf = (name: string): string => join(folder, `${name}${ending}`);
  return {
    names() {
      // Without the folder, no file was saved yet.
      const entries = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
        .map(({ name }) => name.slice(0, -ending.length))
        .filter((name) => NAME.test(name));
    },
    read: (name) => orUndefined(() => readFileSync(fileOf(name), 'utf8')),
    write: (name, text) => write(fileOf(name), text),
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}
