/** The edited file: a command, a file that all commands import, or the environment, which needs a new process. */
export type Edit = 'command' | 'helper' | 'restart';

/** A development tool to measure. */
export interface ReloadSubject {
  readonly name: string;
  /** Edits that the tool reloads. */
  readonly edits: readonly Edit[];
  /** Starts the tool in a new project with this many command files. */
  start(files: number): Promise<RunningSubject>;
}

export interface RunningSubject {
  readonly pid: number;
  /** Saves a file, so that the answer contains `text`. */
  readonly save: (edit: Edit, text: string) => void;
  /** Runs the edited command. Resolves with the answer, or `undefined` if the command expired without one. */
  readonly ask: () => Promise<string | undefined>;
  /** Number of times that the bot identified. */
  readonly identifies: () => Promise<number>;
  close(): Promise<void>;
}

/** Returns the content of an answer; `undefined` for one without content. */
export const stringOf = (content: unknown): string | undefined =>
  typeof content === 'string' ? content : undefined;
