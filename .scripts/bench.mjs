/** `npm run bench`: the packages as they are built, against hand-written code. `-- --quick` for a first look. */
import './require-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
await import('../packages/bench/dist/bin/bench.js');
