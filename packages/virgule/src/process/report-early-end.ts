import { relative } from 'node:path';
import { formatError } from '@virgule/core/errors';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { loadingNow } from '../loader/loading-steps.js';

/**
 * Reports an end of this process before the end of its command, with exit code 1. Code of the project that is loaded
 * here may call `process.exit()`, or wait for a promise that cannot settle.
 *
 * @returns a function that marks the command as ended.
 */
export function reportEarlyEnd({ cwd, interrupt }: Io): () => void {
  let isExpected = false;
  const expect = (): void => void (isExpected = true);
  // An uncaught exception is reported elsewhere, and ends the process.
  process.prependListener('uncaughtExceptionMonitor', expect);
  let isIdle = false;
  process.on('beforeExit', () => void (isIdle = true));
  process.on('exit', (exitCode) => {
    if (isExpected || interrupt.aborted) return;
    const { file, imports } = loadingNow() ?? {};
    const error = cliErrors.E_ENDED_EARLY({
      exitCode: isIdle ? undefined : exitCode,
      file: file === undefined ? undefined : relative(cwd, file),
      imports,
    });
    process.stderr.write(`${formatError(error)}\n`);
    process.exitCode = 1;
  });
  return expect;
}
