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

/** Reports a reminder or other work that the end of the bot stopped. Other rejections stay uncaught exceptions. */
export function reportAbandoned(
  process: Pick<NodeJS.EventEmitter, 'on'>,
  report: (message: string) => void,
): void {
  let wasReported = false;
  process.on('unhandledRejection', (reason) => {
    if (!isVirguleError(reason, 'E_HANDLER_STOPPED')) throw reason;
    if (!wasReported) report(ABANDONED);
    wasReported = true;
  });
}

const ABANDONED =
  'a handler started work that had not ended, such as a reminder: this command ends with the answer; run `virgule dev` to let it finish';
