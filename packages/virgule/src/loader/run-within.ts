import inspector from 'node:inspector';
import { Script } from 'node:vm';

const CALL = Symbol.for('virgule.call');
const script = new Script('globalThis[Symbol.for("virgule.call")]()', { filename: 'node:virgule' });

/**
 * Calls synchronous code, and interrupts it after `timeoutMs` milliseconds, even in an endless loop: Node.js watches scripts
 * with a timeout in a thread without JavaScript, which costs 0.1 ms. Code in a debugger has no limit.
 *
 * @param whenBusy - Returns the error to throw for interrupted code.
 */
export function runWithin<Result>(
  timeoutMs: number,
  code: () => Result,
  whenBusy: () => unknown,
): Result {
  if (inspector.url() !== undefined) return code();
  let hasEnded = false;
  const call = (): Result => {
    Reflect.deleteProperty(globalThis, CALL);
    try {
      return code();
    } finally {
      // Not reached by interrupted code. The code may have a script with a timeout of its own.
      hasEnded = true;
    }
  };
  try {
    Object.assign(globalThis, { [CALL]: call });
    // The script returns the result of the code.
    return script.runInThisContext({ timeout: timeoutMs, displayErrors: false }) as Result;
  } catch (error) {
    throw hasEnded ? error : whenBusy();
  }
}
