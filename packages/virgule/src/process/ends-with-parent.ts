import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** The flags of Node.js for a process that is killed when this one has ended, even by `kill -9`. */
export const ENDS_WITH_PARENT: readonly string[] = [
  '--import',
  pathToFileURL(join(PACKAGE_FOLDER, 'dist/process/orphan-end.js')).href,
];
