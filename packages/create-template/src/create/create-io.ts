/** A program with its arguments. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

interface RunCommandOptions {
  readonly cwd: string;
  /** Where the program's own output goes. */
  readonly output: 'stdout' | 'stderr';
}

/** The outside world of `create-virgule`. */
export interface CreateIo {
  /** Relative folders start here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Whether someone sits at both ends and can be asked. */
  readonly isTerminal: boolean;
  /** Shows a question and resolves with the line typed; rejects when `signal` aborts. */
  readonly ask: (question: string) => Promise<string>;
  /** Resolves with the exit code; a program that cannot be started counts as 127. */
  readonly runCommand: (command: CommandLine, options: RunCommandOptions) => Promise<number>;
  /** One folder for each template. */
  readonly templatesFolder: string;
  /** Version of this package. */
  readonly version: string;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
}
