import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    // The file may be shared, or a link, so another one does not replace it.
    const earlier = orUndefined(() => readFileSync(file));
    try {
      writeFileSync(file, text);
    } catch (error) {
      // A full disk has room for the earlier text.
      if (earlier) orUndefined(() => writeFileSync(file, earlier));
      throw error;
    }
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
