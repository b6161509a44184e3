import { inspect } from 'node:util';

/** The part of `process` that handles uncaught exceptions. */
export interface UncaughtPort {
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): unknown;
  listenerCount(event: 'uncaughtException'): number;
  hasUncaughtExceptionCaptureCallback(): boolean;
  readonly stderr: { write(text: string): unknown };
  exit(code: number): unknown;
}

/**
 * Redacts secrets in an uncaught exception that ends the process. Exceptions without secrets are left to
 * Node.js, as are all exceptions of a process with listeners for `uncaughtException`, which decide what is
 * printed and whether the process exits. Libraries that check for such listeners do not see a monitor.
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
    // The code of the error throws when it is inspected. Node.js cannot print it either.
    return '';
  }
}
