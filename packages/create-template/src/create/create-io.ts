export interface CreateIo {
  /** Current folder; relative folders are resolved from it. */
  readonly cwd: string;
  /** Home folder of the user, if it is known and no environment variable names it. */
  readonly home: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** True if both standard input and output are a terminal. */
  readonly isTerminal: boolean;
  /** Shows a question and resolves with the typed line; rejects when `signal` aborts. */
  readonly ask: (question: string) => Promise<string>;
  /** Runs a program with arguments and resolves with its exit code; 127 if it cannot be started. */
  readonly runCommand: (
    command: string,
    options: { readonly cwd: string; readonly output: 'stdout' | 'stderr' },
  ) => Promise<number>;
  /** Folder with a folder for each template. */
  readonly templatesFolder: string;
  readonly version: string;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
}
