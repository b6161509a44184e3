import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Output folder of the page build. */
export const DEFAULT_PAGE_DIR = path.join(
  path.dirname(require.resolve('@virgule/simulator/package.json')),
  'dist/page/',
);
