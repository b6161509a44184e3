import { fileURLToPath } from 'node:url';

/** Output folder of the build of the page. This module is a file directly in `src/`, or part of one directly in `dist/`. */
export const DEFAULT_PAGE_DIR = fileURLToPath(new URL('../dist/page/', import.meta.url));
