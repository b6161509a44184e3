import { fileURLToPath } from 'node:url';

/**
 * Output folder of the page build. The path is the same from a file directly in `src/` and from a bundle directly in
 * `dist/`.
 */
export const DEFAULT_PAGE_DIR = fileURLToPath(new URL('../dist/page/', import.meta.url));
