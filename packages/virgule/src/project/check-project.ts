import { resolve } from 'node:path';
import { changeError, isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import { createRedactor, type Redactor } from '@virgule/core/log';
import type { ImportModule } from '@virgule/runtime/project';
import { readSource } from '../loader/read-source.js';
import { locationIn } from './project-problems.js';
import {
  byPlace,
  openProject,
  type OpenedProject,
  type OpenProjectOptions,
} from './open-project.js';
import { withFrame } from '../loader/code-frame.js';

/** Problem of a project, or code that is probably not intended. */
export interface Finding {
  /** Severity: only an `error` prevents the bot from starting. */
  readonly severity: 'error' | 'warning';
  /** Problem with its file relative to the project's root, and with line and column if it concerns a file. */
  readonly problem: VirguleError;
}

export type ProjectCheck = Awaited<ReturnType<typeof checkProject>>;

/** Finds all problems of a project. Imports its files without starting the bot. */
export async function checkProject(
  root: string,
  importModule: ImportModule,
  { env, redact = createRedactor() }: Omit<OpenProjectOptions, 'config'> = {},
) {
  /** Valid part of the project; `null` if its folder could not be read. */
  let opened: OpenedProject | null = null;
  let problems: readonly VirguleError[];
  try {
    opened = await openProject(root, importModule, { env, redact });
    problems = opened.problems;
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    problems = [error];
  }
  /** Findings sorted by file, then by line and column. */
  const findings: readonly Finding[] = [
    ...problems.map((problem) => placed('error', problem, root, redact)),
    ...(opened?.warnings ?? []).map((warning) => placed('warning', warning, root, redact)),
  ].sort((a, b) => byPlace(root)(a.problem, b.problem));
  return {
    findings,
    errors: problems.length,
    warnings: findings.length - problems.length,
    opened,
  };
}

/** Returns a finding with a normalized location: a finding about a whole file is at its first line. */
function placed(
  severity: Finding['severity'],
  problem: VirguleError,
  root: string,
  redact: Redactor,
): Finding {
  const { location } = problem;
  if (!location) return { severity, problem };
  // A folder or a missing file has no first line.
  const firstLine = readSource(resolve(root, location.file)) === undefined ? undefined : 1;
  const { line = firstLine, column = line && 1 } = location;
  const { file } = locationIn(root, location);
  const found = changeError(problem, { location: { file, line, column } });
  return { severity, problem: redactError(withFrame(found, root), redact) };
}
