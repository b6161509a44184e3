import { inspect } from 'node:util';
import { errorText } from '../errors/error-text.js';
import { orUndefined } from '../objects/or-undefined.js';

/** The part of `process` that handles uncaught exceptions. */
export interface UncaughtPort {
  on(event: 'uncaughtExceptionMonitor', listener: (error: unknown) => void): unknown;
  listenerCount(event: 'uncaughtException'): number;
  hasUncaughtExceptionCaptureCallback(): boolean;
  readonly stderr: { write(text: string): unknown };
  exit(code: number): unknown;
}

/**
 * Adds a listener for uncaught exceptions that end the process; processes with listeners for `uncaughtException` decide
 * themselves. A monitor is invisible to libraries that check for such listeners.
 */
export function onUncaught(
  process: Omit<UncaughtPort, 'stderr' | 'exit'>,
  listener: (error: unknown) => void,
): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (process.listenerCount('uncaughtException') > 0) return;
    if (!process.hasUncaughtExceptionCaptureCallback()) listener(error);
  });
}

/** Depth of the search for secrets. Node.js prints 5 levels of an error. */
const DEPTH = 8;

/** Redacts secrets in an uncaught exception that ends the process. Others are left to Node.js. */
export function redactUncaught(process: UncaughtPort, redact: (text: string) => string): void {
  onUncaught(process, (error) => {
    // Node.js prints some values with their custom inspection, and others, or when that fails, without it.
    const forms = [true, false].map((customInspect) => show(error, customInspect));
    const [text] = forms.filter((form) => form !== undefined);
    if (forms.every((form) => form !== undefined && redact(form) === form)) return;
    process.stderr.write(`${redact(text ?? errorText(error))}\n`);
    process.exit(1);
  });
}

/** Returns everything that is printed of a value, or `undefined` if the value throws when it is read. */
const show = (error: unknown, customInspect: boolean): string | undefined =>
  orUndefined(() => inspect(error, { depth: DEPTH, customInspect, maxStringLength: null }));
