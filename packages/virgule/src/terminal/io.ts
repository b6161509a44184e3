import type { Readable } from 'node:stream';
import type { Redactor } from '@virgule/core/log';

/** Outside world of the command line, passed as an argument. */
export interface Io {
  /** Hides secrets in all output; commands add the secrets of the environment that they read. */
  readonly redact: Redactor;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True if this process has a terminal, which sends Ctrl+C to its child processes as well. */
  readonly terminal: boolean;
  /** True if questions can be asked: input and output are terminals. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly nodeVersion: string;
  /** Width of the output in characters; `Infinity` without a terminal. Read at each use, since windows change. */
  readonly columns: number;
  /** Asks a question and resolves with the typed line; an empty line after Ctrl+C and Ctrl+D. Only if `interactive`. */
  ask(question: string): Promise<string>;
  /**
   * Calls `onKey` for every key, and treats Ctrl+C as `interrupt`, until the returned function is called. Only if
   * `interactive`.
   */
  keys(onKey: (key: string) => void): () => void;
  /**
   * Redirects all later output of other code in this process from stdout to stderr, so that stdout contains only the
   * JSON.
   */
  reserveStdout(): void;
  /** Has Ctrl+C and other signals end this process without `interrupt`, also while its event loop is blocked. */
  endAtSignals(): void;
  /** Writes the code that V8 compiled for this program, which the next process takes. Called before flags of V8 change. */
  keepCode(): void;
  /** Aborted at Ctrl+C, at SIGTERM, and when the output has no reader; the reason is the name of the signal. */
  readonly interrupt: AbortSignal;
}
