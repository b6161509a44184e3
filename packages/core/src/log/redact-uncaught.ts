import { inspect } from 'node:util';

/** The part of Node.js's `process` that prints an exception that no one catches, and ends. */
export interface UncaughtPort {
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): unknown;
  listenerCount(event: 'uncaughtException'): number;
  hasUncaughtExceptionCaptureCallback(): boolean;
  readonly stderr: { write(text: string): unknown };
  exit(code: number): unknown;
}

/**
 * Keeps secrets out of what Node.js prints of an exception that ends the process. One without secrets
 * is left to Node.js, and so is every exception of a process that listens to `uncaughtException`: those
 * listeners decide what is printed and whether it ends. A monitor, unlike such a listener, changes
 * nothing for libraries that look whether there are others.
 */
export function redactUncaught(process: UncaughtPort, redact: (text: string) => string): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0) return;
    if (process.hasUncaughtExceptionCaptureCallback()) return;
    const text = show(error);
    const clean = redact(text);
    if (clean === text) return;
    process.stderr.write(`${clean}\n`);
    process.exit(1);
  });
}

function show(error: unknown): string {
  try {
    return inspect(error);
  } catch {
    // Its own code throws when it is looked at. Node.js can print no more of it either.
    return '';
  }
}
