import { createInterface } from 'node:readline/promises';
import { createRedactor } from '@virgule/core/log';
import type { Io } from '../terminal/io.js';
import { createLogText } from '../terminal/log-text.js';
import { codeFrame } from '../loader/code-frame.js';
import { setStackStyle, thrownAt } from '../loader/stack-traces.js';
import { reportRejections, reportUncaught } from './report-uncaught.js';

/** Width of a terminal that does not report one, such as a serial line. */
const USUAL_COLUMNS = 80;
/** Minimum width; output for a narrower terminal is formatted for this width. */
const MIN_COLUMNS = 40;

/** Creates the terminal, environment and signals of this process. A second Ctrl+C ends the process at once. */
export function createProcessIo(keepCode = (): void => {}): Io {
  const { env, stdin, stdout, stderr } = process;
  const redact = createRedactor([env['BOT_TOKEN'] ?? '']);
  const color = !env['NO_COLOR'] && (isOn(env['FORCE_COLOR']) || stdout.isTTY === true);
  const columns = (): number =>
    stdout.isTTY ? Math.max(stdout.columns || USUAL_COLUMNS, MIN_COLUMNS) : Infinity;
  const isVerbose = ['debug', 'trace'].includes(env['LOG_LEVEL'] ?? '');
  setStackStyle({ relativeTo: process.cwd(), folds: !isVerbose });
  Error.stackTraceLimit = 30;
  const toText = createLogText({ color, now: () => Date.now(), columns });
  const report = (level: number, msg: string, error?: unknown): void => {
    const place = thrownAt(error);
    const frame = place && codeFrame(place.text, place);
    const err = error instanceof Error && {
      type: error.name,
      message: error.message,
      stack: error.stack,
    };
    stderr.write(redact(toText(JSON.stringify({ level, msg, err, frame }))));
  };
  reportUncaught(process, (error, msg) => report(60, msg, error));
  reportRejections(process, report);
  const writeOut = stdout.write.bind(stdout);
  const interrupt = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    // A closing terminal may send SIGHUP more than once.
    if (interrupt.signal.aborted && signal !== 'SIGHUP') process.exit(130);
    interrupt.abort(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // An output error ends a command like a signal: its reader has exited, as in `virgule dev | head`, or its disk is
  // full.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (interrupt.signal.aborted) return;
      interrupt.abort('SIGPIPE');
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      // The disk of a file is full: the command ends gracefully.
      const other = stream === stdout ? stderr : stdout;
      other.write(`The output cannot be written: ${error.message}\n`);
      process.once('exit', () => (process.exitCode ||= 1));
    });
  }

  return {
    redact,
    stdin,
    stdout: { write: (text) => writeOut(text) },
    stderr,
    env,
    cwd: process.cwd(),
    nodeVersion: process.versions.node,
    terminal: [stdin, stdout, stderr].some((stream) => stream.isTTY),
    interactive: stdin.isTTY === true && stdout.isTTY === true && !env['CI'],
    color,
    get columns() {
      return columns();
    },
    interrupt: interrupt.signal,
    keepCode,
    reserveStdout() {
      stdout.write = stderr.write.bind(stderr);
    },
    endAtSignals() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
    keys(onKey) {
      const onData = (data: Buffer): void => {
        // Keys typed while the event loop was blocked arrive in one chunk. A chunk that begins with an escape, such
        // as an arrow key, is ignored.
        const typed = data.toString();
        if (typed.startsWith('\u001B')) return;
        for (const key of typed)
          if (key === CTRL_C) onSignal('SIGINT');
          else onKey(key);
      };
      stdin.setRawMode(true).on('data', onData).resume();
      return () => {
        stdin.off('data', onData).setRawMode(false).pause();
      };
    },
    ask(question) {
      const prompt = createInterface({ input: stdin, output: stdout });
      // During a question, a terminal sends Ctrl+C as a key, not as a signal.
      prompt.on('SIGINT', () => onSignal('SIGINT'));
      const typed = new Promise<string>((resolve) => {
        // readline does not settle a question at Ctrl+D or at the end of a pipe.
        prompt.once('close', () => resolve(''));
        prompt.question(question, { signal: interrupt.signal }).then(resolve, () => resolve(''));
      });
      return typed.finally(() => prompt.close());
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Key for Ctrl+C, which a terminal in raw mode sends instead of a signal. */
const CTRL_C = '\u0003';

const isOn = (value: string | undefined): boolean => Boolean(value) && value !== '0';
