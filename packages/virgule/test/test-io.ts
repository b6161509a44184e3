import { PassThrough, type Readable } from 'node:stream';
import { createRedactor } from '@virgule/core/log';
import type { Io } from '../src/terminal/io.js';

export interface TestIo extends Io {
  /** Everything written so far. */
  readonly out: string;
  readonly err: string;
  /** Ends it from outside. @defaultValue `'SIGTERM'` */
  stop(signal?: NodeJS.Signals): void;
  /** Presses keys; they go to the listener. */
  press(keys: string): void;
  /** True while keys are listened to. */
  readonly listensForKeys: boolean;
}

export interface TestIoOptions {
  readonly cwd: string;
  readonly env?: Io['env'];
  /** Lines typed at questions; giving any makes the terminal interactive. */
  readonly typed?: readonly string[];
  readonly color?: boolean;
  /** @defaultValue as many as it takes */
  readonly columns?: number;
  /** True for a terminal with a user, even if no answer is typed. */
  readonly interactive?: boolean;
  readonly terminal?: boolean;
  /** @defaultValue nothing, and it stays open */
  readonly stdin?: Readable;
  /** @defaultValue the one that runs the test */
  readonly nodeVersion?: string;
}

/** A terminal that keeps what is written to it. */
export function createTestIo({
  cwd,
  env = {},
  typed,
  color = false,
  columns = Infinity,
  interactive = typed !== undefined,
  terminal = interactive,
  stdin = new PassThrough(),
  nodeVersion = process.versions.node,
}: TestIoOptions): TestIo {
  const interrupt = new AbortController();
  const lines = [...(typed ?? [])];
  let out = '';
  let err = '';
  let onKey: ((key: string) => void) | undefined;
  return {
    redact: createRedactor(),
    cwd,
    env,
    color,
    columns,
    terminal,
    nodeVersion,
    interactive,
    interrupt: interrupt.signal,
    reserveStdout: () => {},
    endAtSignals: () => {},
    keepCode: () => {},
    stdin,
    stdout: { write: (text) => void (out += text) },
    stderr: { write: (text) => void (err += text) },
    async ask(question) {
      out += question;
      const line = lines.shift();
      if (line === undefined) throw new Error(`Nothing was typed at: ${question}`);
      return line;
    },
    keys(listener) {
      onKey = listener;
      return () => void (onKey = undefined);
    },
    press: (keys) => {
      for (const key of keys) onKey?.(key);
    },
    get listensForKeys() {
      return onKey !== undefined;
    },
    stop: (signal = 'SIGTERM') => interrupt.abort(signal),
    get out() {
      return out;
    },
    get err() {
      return err;
    },
  };
}
