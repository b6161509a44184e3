import { onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo, type TestIoOptions } from './test-io.js';
import { createTestProject } from './test-project.js';

/** Files of a project by their path. */
export type Files = Readonly<Record<string, string>>;

export interface CliResult {
  /** The exit code. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The folder of the project. It is deleted when the test ends. */
  readonly root: string;
}

/** Runs a command line in a new project, in this process. */
export async function runCli(
  files: Files,
  argv: readonly string[],
  options: Partial<TestIoOptions> = {},
): Promise<CliResult> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const { root } = project;
  const io = createTestIo({ cwd: root, ...options });
  const code = await run(argv, io);
  return { code, out: io.out, err: io.err, root };
}
