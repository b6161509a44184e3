import { createRequire } from 'node:module';
import type * as esbuild from 'esbuild';

const require = createRequire(import.meta.url);

/**
 * The compiler. With `import`, Node.js would first parse the 200 kB of esbuild for the names of its exports, which takes
 * longer than running them.
 */
export const { build, stop, transform } = require('esbuild') as typeof esbuild;
