import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 make everything among the young objects, where what dies soon is cheap to collect.
 *
 * After a burst of commands that were all alive at once, V8 takes what is made for a command to be
 * long-lived, makes it among the old objects from then on, and copies whatever hangs on it again and
 * again. In a bot nothing that is made for a command lives long. It is a setting of the whole process,
 * so only one that is a bot makes it, and only once it has started: what V8 compiled ahead for the
 * modules of Node.js does not count under other settings, and compiling them takes a third of the start.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
