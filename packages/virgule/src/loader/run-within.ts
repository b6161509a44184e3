import inspector from 'node:inspector';
import { Script } from 'node:vm';

const KEY = 'virgule.call';
/** Function that the script calls. All copies of this package in a process use one object. */
const slot: { call?: () => unknown } = Reflect.get(globalThis, Symbol.for(KEY)) ?? {};
// Defined before code of the project runs, which may freeze the global object.
Object.defineProperty(globalThis, Symbol.for(KEY), { value: slot });
const script = new Script(`globalThis[Symbol.for('${KEY}')].call()`, { filename: 'node:virgule' });
/** Functions that return the errors of the calls in progress, the innermost last. */
const calls: (() => unknown)[] = [];

/**
 * Calls synchronous code, and interrupts it after `timeoutMs` milliseconds, even in an endless loop: Node.js watches scripts
 * with a timeout in a thread without JavaScript, which costs 0.1 ms. A call inside of another has the limit of the outer one. Code in
 * a debugger has no limit.
 *
 * @param whenBusy - Returns the error to throw for interrupted code. The outer call throws the one of the innermost call.
 */
export function runWithin<Result>(
  timeoutMs: number,
  code: () => Result,
  whenBusy: () => unknown,
): Result {
  if (inspector.url() !== undefined) return code();
  const depth = calls.push(whenBusy);
  let hasEnded = false;
  const call = (): Result => {
    try {
      return code();
    } finally {
      // Interrupted code skips this line. An error of a script with a timeout, which the code may run, does not.
      hasEnded = true;
      calls.pop();
    }
  };
  if (depth > 1) return call();
  slot.call = call;
  try {
    // The script returns the result of the code.
    return script.runInThisContext({ timeout: timeoutMs, displayErrors: false }) as Result;
  } catch (error) {
    throw hasEnded ? error : calls.splice(0).at(-1)?.();
  }
}
