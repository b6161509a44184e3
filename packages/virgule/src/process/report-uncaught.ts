import { relative } from 'node:path';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { thrownAt } from '../loader/stack-traces.js';

/** The part of Node.js's `process` that prints an exception that no one catches, and ends. */
export interface UncaughtPort {
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): unknown;
  listenerCount(event: 'uncaughtException'): number;
  hasUncaughtExceptionCaptureCallback(): boolean;
  cwd(): string;
  exit(code: number): unknown;
}

/**
 * Reports an exception that no one catches, and ends the process: Node.js would print the line of the compiled code.
 * Listeners to `uncaughtException` decide themselves what is printed and whether the process ends. A monitor, unlike
 * such a listener, changes nothing for libraries that check whether there are others.
 *
 * @param report - reports it, and may return the exit code. @defaultValue `1`
 * @param nameOf - returns a name for a file, relative to the current folder. @defaultValue its path
 */
export function reportUncaught(
  process: UncaughtPort,
  report: (error: unknown, message: string) => number | void,
  nameOf: (file: string) => string = (file) => file,
): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0) return;
    if (process.hasUncaughtExceptionCaptureCallback()) return;
    const place = thrownAt(error);
    const where = place ? ` in ${nameOf(relative(process.cwd(), place.file))}` : '';
    process.exit(report(error, `uncaught exception${where}: ${errorText(error)}`) ?? 1);
  });
}

/** The part of Node.js's `process` that reports rejections that no one handles. */
export interface RejectionPort {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/**
 * Reports work that a handler started and did not wait for, such as a reminder: a bot that is closed ends it. Other
 * rejections are uncaught exceptions as before.
 */
export function reportAbandoned(process: RejectionPort, report: (message: string) => void): void {
  let wasReported = false;
  process.on('unhandledRejection', (reason) => {
    if (!isVirguleError(reason, 'E_HANDLER_STOPPED')) throw reason;
    if (!wasReported) report(ABANDONED);
    wasReported = true;
  });
}

const ABANDONED =
  'a handler started work that had not ended, such as a reminder: this command ends with the answer; run `virgule dev` to let it finish';
