/**
 * `node packages/tools/write-pages.mjs`: updates the files that are generated from code, such as pages of the
 * documentation. Each is a file snapshot of a test, which fails if the file is out of date.
 */
import { tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';

const tests = [
  'packages/core/test/endpoints-page.test.ts',
  'packages/runtime/test/raw-input-page.test.ts',
  'packages/runtime/test/raw-input-lines.test.ts',
  'packages/tools/error-pages.test.mjs',
  'packages/simulator/test/control-page.test.ts',
];

// --update is last: a path after it would be parsed as its value.
const { ok } = await runCommand(
  [tool('vitest'), 'run', '--project', 'unit', '--project', 'tools', ...tests, '--update'],
  { show: true },
);
process.exitCode = ok ? 0 : 1;
