/** `npm run bench`: the packages as they are built, against hand-written code. `-- --quick` for a first look. */
import './require-node.mjs';
import { setUp } from './setup.mjs';

// What is measured may be piped into a file or a page.
await setUp(process.stderr);
await import('../packages/bench/dist/bin/bench.js');
