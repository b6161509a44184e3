import type { Io } from '../src/cli/io.js';

export interface TestIo extends Io {
  /** Everything written so far. */
  readonly out: string;
  readonly err: string;
  /** Ends it from outside. @defaultValue `'SIGTERM'` */
  stop(signal?: NodeJS.Signals): void;
}

export interface TestIoOptions {
  readonly cwd: string;
  readonly env?: Io['env'];
  /** Lines typed at questions; giving any makes the terminal interactive. */
  readonly typed?: readonly string[];
  readonly color?: boolean;
  /** @defaultValue as many as it takes */
  readonly columns?: number;
  readonly terminal?: boolean;
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
  terminal = typed !== undefined,
  nodeVersion = process.versions.node,
}: TestIoOptions): TestIo {
  const interrupt = new AbortController();
  const lines = [...(typed ?? [])];
  let out = '';
  let err = '';
  return {
    cwd,
    env,
    color,
    columns,
    terminal,
    nodeVersion,
    interactive: typed !== undefined,
    interrupt: interrupt.signal,
    stdout: { write: (text) => void (out += text) },
    stderr: { write: (text) => void (err += text) },
    async ask(question) {
      out += question;
      const line = lines.shift();
      if (line === undefined) throw new Error(`Nothing was typed at: ${question}`);
      return line;
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
