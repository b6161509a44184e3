import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import { replaceFile, STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
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
    // A link keeps its target, and a file its rights and its owner.
    const target = orUndefined(() => realpathSync(file)) ?? file;
    const found = orUndefined(() => statSync(target));
    if (found) accessSync(target, constants.W_OK);
    replaceFile(target, text, (next) => {
      if (!found) return;
      // Only root can set another owner, but a member of the group can keep the group.
      orUndefined(() => chownSync(next, -1, found.gid));
      orUndefined(() => chownSync(next, found.uid, -1));
      chmodSync(next, found.mode);
    });
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
