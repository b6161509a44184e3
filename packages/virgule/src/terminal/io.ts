import type { Readable } from 'node:stream';
import type { Redactor } from '@virgule/core/log';

/** The outside world of the command line, as an argument. */
export interface Io {
  /** Knows what no output may show: commands add the secrets of the environment that they read. */
  readonly redact: Redactor;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder the command was run in. */
  readonly cwd: string;
  /** Whether this process has a terminal, which sends Ctrl+C to its child processes as well. */
  readonly terminal: boolean;
  /** Whether questions can be asked: input and output are terminals. */
  readonly interactive: boolean;
  /** Whether output may be colored. */
  readonly color: boolean;
  /** Version of Node.js, such as `20.19.0`. */
  readonly nodeVersion: string;
  /** The width of the output in characters, read each time, since windows change; `Infinity` without a
   * terminal. */
  readonly columns: number;
  /** Asks a question and resolves with the typed line; an empty one after Ctrl+C and Ctrl+D. Only if `interactive`. */
  ask(question: string): Promise<string>;
  /**
   * Calls `onKey` for every key, and treats Ctrl+C as `interrupt`, until the returned function is called. Only if
   * `interactive`.
   */
  keys(onKey: (key: string) => void): () => void;
  /**
   * Sends to stderr what other code in this process prints to stdout from now on, so that stdout has the
   * JSON alone.
   */
  reserveStdout(): void;
  /** Aborted at Ctrl+C, SIGTERM, and when the output has no reader; the reason is the name of the signal. */
  readonly interrupt: AbortSignal;
}
