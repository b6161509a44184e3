import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

const require = createRequire(import.meta.url);

export const { version } = require(join(PACKAGE_FOLDER, 'package.json')) as {
  readonly version: string;
};
