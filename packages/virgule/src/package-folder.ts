import { fileURLToPath } from 'node:url';

/** Folder of this package. This module is a file directly in `src/`, or part of one directly in `dist/`. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url));
