import { relative } from 'node:path';
import { errorText } from '@virgule/core/errors';
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
