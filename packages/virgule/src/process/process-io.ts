import { createInterface } from 'node:readline/promises';
import type { Io } from '../cli/io.js';

/** The terminal, environment and signals of this process. A second Ctrl+C ends it at once. */
export function createProcessIo(): Io {
  const { env, stdin, stdout, stderr } = process;
  const interrupt = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  return {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    interactive: stdin.isTTY === true && stdout.isTTY === true && !env['CI'],
    color: !env['NO_COLOR'] && (Boolean(env['FORCE_COLOR']) || stdout.isTTY === true),
    interrupt: interrupt.signal,
    async ask(question) {
      const prompt = createInterface({ input: stdin, output: stdout });
      try {
        return await prompt.question(question, { signal: interrupt.signal });
      } finally {
        prompt.close();
      }
    },
  };
}
