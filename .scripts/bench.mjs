/**
 * `npm run bench`: compares the built packages with hand-written code. `-- --quick` for a quick run,
 * `-- reload` for the time from a save to the new answer.
 */
import './require-node.mjs';
import { setUp } from './setup.mjs';

// Standard output carries the results, which may be piped to a file.
await setUp(process.stderr);
const part = process.argv[2] === 'reload' ? 'reload' : 'bench';
await import(`../packages/bench/dist/bin/${part}.js`);
