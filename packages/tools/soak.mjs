/**
 * `npm run soak`: tests the client for minutes or hours, with faults. `-- --minutes 30`, `-- --signals`. `-- --scale`:
 * tests a bot of several processes, which are killed.
 */
import './require-node.mjs';
import { ensureRedis } from './redis.mjs';
import { tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { setUp } from './setup.mjs';

await setUp();
if (process.argv.includes('--scale')) {
  const { reason } = await ensureRedis();
  if (reason !== undefined) throw new Error(reason);
  const tests = ['packages/bench/test/', 'packages/redis/test/'];
  const { ok } = await runCommand([tool('vitest'), 'run', '--project', 'slow', ...tests], {
    show: true,
  });
  process.exitCode = ok ? 0 : 1;
} else {
  await import('../bench/dist/bin/soak.js');
}
