import { relative } from 'node:path';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { onUncaught, type UncaughtPort } from '@virgule/core/log';
import { thrownAt } from '../loader/stack-traces.js';

/**
 * Reports an uncaught exception instead of Node.js, which would print a line of compiled code, and ends the process.
 *
 * @param report - reports the exception, and may return the exit code. @defaultValue `1`
 */
export function reportUncaught(
  process: Omit<UncaughtPort, 'stderr'> & { cwd(): string },
  report: (error: unknown, message: string) => number | void,
): void {
  onUncaught(process, (error) => {
    const text = `uncaught exception${fileOf(error, process.cwd())}: ${errorText(error)}`;
    process.exit(report(error, text) ?? 1);
  });
}

/**
 * Reports rejections that no code handles: once for reminders and other work that the end of the bot stopped, and each
 * other one, after which the command continues, as a bot does, and exits with 1.
 */
export function reportRejections(
  process: Pick<NodeJS.EventEmitter, 'on' | 'once'> & Pick<NodeJS.Process, 'exitCode' | 'cwd'>,
  report: (level: number, message: string, error?: unknown) => void,
): void {
  let wasReported = false;
  let hasFailed = false;
  process.once('exit', () => {
    if (hasFailed) process.exitCode ||= 1;
  });
  process.on('unhandledRejection', (reason) => {
    if (isVirguleError(reason, 'E_HANDLER_STOPPED')) {
      if (!wasReported) report(40, ABANDONED);
      wasReported = true;
      return;
    }
    const text = `unhandled rejection${fileOf(reason, process.cwd())} (is an await missing?): ${errorText(reason)}`;
    report(50, text, reason);
    hasFailed = true;
  });
}

/** Returns ` in ` and the file of the project that threw an error, if its stack trace contains one. */
function fileOf(error: unknown, cwd: string): string {
  const place = thrownAt(error);
  return place ? ` in ${relative(cwd, place.file)}` : '';
}

const ABANDONED =
  'a handler started work that had not ended, such as a reminder: this command ends with the answer; run `virgule dev` to let it finish';
