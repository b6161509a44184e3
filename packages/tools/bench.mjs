/**
 * `npm run bench`: compares the built packages with hand-written code. `-- --quick` for a quick run,
 * `-- reload` for the time from a save to the new answer, `-- voice` for streams to voice channels, `-- page` for the
 * chat page in Chromium.
 */
import './require-node.mjs';
import { findChromium } from './browser.mjs';
import { findRedis } from './redis.mjs';
import { setUp } from './setup.mjs';

// Standard output carries the results, which may be piped to a file.
await setUp(process.stderr);
// Without Redis or Chromium, the bench says so and measures the rest.
process.env.REDIS_SERVER_PATH = findRedis() ?? '';
process.env.CHROMIUM_PATH = findChromium() ?? '';
// Processes that the bench started end when the bench exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const part = ['page', 'reload', 'voice'].find((name) => name === process.argv[2]) ?? 'bench';
await import(`../bench/dist/bin/${part}.js`);
