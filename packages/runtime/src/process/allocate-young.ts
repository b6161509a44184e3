import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all objects in the young generation, where short-lived ones are cheap to collect.
 *
 * After a burst of concurrent commands, V8 treats the objects of a command as long-lived, allocates them
 * in the old generation from then on, and copies everything they refer to repeatedly. In a bot, no object
 * of a command lives long. It is a setting of the whole process, so only the process of a bot makes it,
 * and only once it has started: V8 rejects its compiled code for the modules of Node.js under other
 * settings, and compiling them takes a third of the start.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
