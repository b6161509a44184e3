import type { Redactor } from '@virgule/core/log';

/** Somewhere to write text. */
interface Output {
  write(text: string): unknown;
}

/** The outside world of the command line, as an argument. */
export interface Io {
  /** Knows what no output may show: commands add the secrets of the environment that they read. */
  readonly redact: Redactor;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder the command was run in. */
  readonly cwd: string;
  /** Whether this process hangs on a terminal, which gives Ctrl+C to all processes it started as well. */
  readonly terminal: boolean;
  /** Whether someone sits at a terminal: only then are questions asked. */
  readonly interactive: boolean;
  /** Whether output may be coloured. */
  readonly color: boolean;
  /** Version of Node.js, such as `20.19.0`. */
  readonly nodeVersion: string;
  /** How many characters a line of the output has room for, asked for each time, since windows change; `Infinity`
   * where it is not shown on a terminal. */
  readonly columns: number;
  /** Asks a question and gives the line that was typed; an empty one at Ctrl+C and Ctrl+D. Only when `interactive`. */
  ask(question: string): Promise<string>;
  /**
   * Gives every key that is pressed, and takes Ctrl+C for `interrupt`, until the function that it gives is called. Only
   * when `interactive`.
   */
  keys(onKey: (key: string) => void): () => void;
  /** Aborted at Ctrl+C, SIGTERM, and when nobody reads the output any more; the reason is the name of the signal. */
  readonly interrupt: AbortSignal;
}
