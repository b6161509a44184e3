import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 optimize WebAssembly later than usual: for undici, which parses HTTP in one large function, after about a hundred
 * responses instead of one. The optimization takes 70 ms of CPU and 10 MB, a third of the start of a bot. Only later requests
 * repay that, so many short runs, and bots that are rarely used, do without it.
 *
 * The setting affects the whole process, so only the process of a bot makes it, before its first request.
 */
export function optimizeWasmLate(): void {
  setFlagsFromString('--wasm-tiering-budget=1000000000');
}
