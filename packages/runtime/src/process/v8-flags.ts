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

/**
 * Makes V8 allocate all objects in the young generation, where short-lived ones are cheap to collect.
 *
 * After a burst of concurrent commands, V8 treats the objects of a command as long-lived, allocates them in the old generation
 * from then on, and repeatedly copies every object that they reference. In a bot, no object of a command lives long. The
 * setting affects the whole process, so only the process of a bot makes it, and only after the start: V8 rejects its compiled
 * code for the modules of Node.js under other settings, and compiling the modules takes a third of the start.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Makes V8 optimize JavaScript later than usual: for the processes of `virgule dev`, whose own code runs for some milliseconds
 * per save. Optimizing that code takes a third of the CPU time of the first saves of a file that many others import, and
 * only hundreds of saves repay it. A busy handler is optimized after some milliseconds more. Not set at the start, for
 * the reason of `allocateYoung`. Does nothing since Node.js 22, whose V8 counts calls instead, up to 3,000.
 */
export function optimizeLate(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=1000000');
}
