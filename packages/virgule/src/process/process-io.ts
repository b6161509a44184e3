import { createInterface } from 'node:readline/promises';
import { errorText, readableError } from '@virgule/core/errors';
import { createRedactor } from '@virgule/core/log';
import type { Io } from '../cli/io.js';
import { createLogText } from '../cli/log-text.js';
import { codeFrame } from '../loader/code-frame.js';
import { setStackStyle, thrownAt } from '../loader/stack-traces.js';
import { reportUncaught } from './report-uncaught.js';

/** A terminal that does not tell its width, such as a serial line, is as wide as they used to be. */
const USUAL_COLUMNS = 80;
/** Narrower ones are written to as if they were this wide. */
const MIN_COLUMNS = 40;

/** The terminal, environment and signals of this process. A second Ctrl+C ends it at once. */
export function createProcessIo(): Io {
  const { env, stdin, stdout, stderr } = process;
  const redact = createRedactor([env['BOT_TOKEN'] ?? '']);
  const color = !env['NO_COLOR'] && (isOn(env['FORCE_COLOR']) || stdout.isTTY === true);
  const isVerbose = ['debug', 'trace'].includes(env['LOG_LEVEL'] ?? '');
  setStackStyle({ relativeTo: process.cwd(), folds: !isVerbose });
  Error.stackTraceLimit = 30;
  const toText = createLogText({ color, now: () => Date.now() });
  reportUncaught(process, (error, msg) => {
    const place = thrownAt(error);
    const readable = readableError(error);
    const {
      name: type,
      message,
      stack,
    } = readable instanceof Error ? readable : new Error(errorText(error));
    const frame = place && codeFrame(place.text, place);
    const entry = { level: 60, msg, err: { type, message, stack }, frame };
    stderr.write(redact(toText(JSON.stringify(entry))));
  });
  const interrupt = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // Whoever read the output has gone, as in `virgule dev | head`: that ends a command like a signal.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      interrupt.abort('SIGPIPE');
    });
  }

  return {
    redact,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    nodeVersion: process.versions.node,
    terminal: [stdin, stdout, stderr].some((stream) => stream.isTTY),
    interactive: stdin.isTTY === true && stdout.isTTY === true && !env['CI'],
    color,
    get columns() {
      return stdout.isTTY ? Math.max(stdout.columns || USUAL_COLUMNS, MIN_COLUMNS) : Infinity;
    },
    interrupt: interrupt.signal,
    keys(onKey) {
      const onData = (data: Buffer): void => {
        // What was typed meanwhile comes at once. Arrows and the like begin with an escape: they mean nothing here.
        const typed = data.toString();
        if (!typed.startsWith('\u001B')) for (const key of typed) pressed(key);
      };
      const pressed = (key: string): void => (key === CTRL_C ? onSignal('SIGINT') : onKey(key));
      stdin.setRawMode(true).on('data', onData).resume();
      return () => void stdin.off('data', onData).setRawMode(false).pause();
    },
    ask(question) {
      const prompt = createInterface({ input: stdin, output: stdout });
      // A terminal that is asked a question gives Ctrl+C as a key, not as a signal.
      prompt.on('SIGINT', () => onSignal('SIGINT'));
      const typed = new Promise<string>((resolve) => {
        // At Ctrl+D and at the end of a pipe the question itself would stay open for ever.
        prompt.once('close', () => resolve(''));
        prompt.question(question, { signal: interrupt.signal }).then(resolve, () => resolve(''));
      });
      return typed.finally(() => prompt.close());
    },
  };
}

/** In raw mode a terminal gives Ctrl+C as a key, not as a signal. */
const CTRL_C = '\u0003';

const isOn = (value: string | undefined): boolean => Boolean(value) && value !== '0';
