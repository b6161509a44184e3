import { createRequire } from 'node:module';

/** Version of this package. `../../package.json` is the same file from `src/cli` and from `dist/cli`. */
export const version = (
  createRequire(import.meta.url)('../../package.json') as { readonly version: string }
).version;
