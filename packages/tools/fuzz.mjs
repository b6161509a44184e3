/** `npm run fuzz`: tests the client with arbitrary bytes, 100,000 runs. `-- 20000` for another number. */
import './require-node.mjs';
import { runCommand } from './run-command.mjs';

const [, , runs = '100000'] = process.argv;
if (!/^[1-9]\d*$/.test(runs))
  throw new Error(`The number of runs must be a whole number of at least 1, got "${runs}".`);

const { ok } = await runCommand(
  [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'fuzz'],
  { env: { VIRGULE_FUZZ_RUNS: runs }, show: true, timeoutSeconds: 6 * 3_600 },
);
process.exitCode = ok ? 0 : 1;
