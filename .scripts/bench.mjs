/**
 * `npm run bench`: the packages as they are built, against hand-written code. `-- --quick` for a first
 * look, `-- reload` for the time from a save to the new answer.
 */
import './require-node.mjs';
import { setUp } from './setup.mjs';

// What is measured may be piped into a file or a page.
await setUp(process.stderr);
const part = process.argv[2] === 'reload' ? 'reload' : 'bench';
await import(`../packages/bench/dist/bin/${part}.js`);
