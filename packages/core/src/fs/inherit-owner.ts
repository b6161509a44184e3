import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUndefined } from '../objects/or-undefined.js';

/**
 * Sets the owner of a file that root created to the owner of its folder: the bot may run as this user. A file stays with
 * root where a disk or a container refuses the change.
 */
export function inheritOwner(path: string, folder = dirname(path)): void {
  if (process.getuid?.() !== 0) return;
  orUndefined(() => {
    const { uid, gid } = statSync(folder);
    // The owner of the folder may have replaced the file by a link to a file of root.
    lchownSync(path, uid, gid);
  });
}
