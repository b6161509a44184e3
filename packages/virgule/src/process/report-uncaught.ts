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
    const place = thrownAt(error);
    const where = place ? ` in ${relative(process.cwd(), place.file)}` : '';
    process.exit(report(error, `uncaught exception${where}: ${errorText(error)}`) ?? 1);
  });
}

/**
 * Reports rejections that no code handles: once for reminders and other work that the end of the bot stopped, and each of the
 * project's code, after which the command continues and exits with 1. Other rejections are uncaught exceptions.
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
    const place = thrownAt(reason);
    if (!place) throw reason;
    const file = relative(process.cwd(), place.file);
    const text = `unhandled rejection in ${file} (is an await missing?): ${errorText(reason)}`;
    report(50, text, reason);
    hasFailed = true;
  });
}

const ABANDONED =
  'a handler started work that had not ended, such as a reminder: this command ends with the answer; run `virgule dev` to let it finish';
