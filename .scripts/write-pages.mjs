/**
 * `node .scripts/write-pages.mjs`: writes the pages of the documentation that are made from code. Each
 * is a file snapshot of a test, which fails when the page is stale.
 */
import { tool } from './repository.mjs';
import { runCommand } from './run-command.mjs';

const tests = [
  'packages/runtime/test/raw-input-page.test.ts',
  'packages/runtime/test/raw-input-lines.test.ts',
];

// Last: it would take a path behind it for its own.
const { ok } = await runCommand(
  [tool('vitest'), 'run', '--project', 'unit', ...tests, '--update'],
  { show: true },
);
process.exitCode = ok ? 0 : 1;
