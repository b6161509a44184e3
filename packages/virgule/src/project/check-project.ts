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
import { withFrame } from './with-frame.js';

/** One thing that is wrong with a project, or hardly meant so. */
export interface Finding {
  /** An `error` keeps the bot from starting, a `warning` does not. */
  readonly severity: 'error' | 'warning';
  /** With its file from the project's root, and with line and column where it is about a file. */
  readonly problem: VirguleError;
}

export type ProjectCheck = Awaited<ReturnType<typeof checkProject>>;

/** Finds everything that is wrong with a project. Imports its files and starts nothing. */
export async function checkProject(
  root: string,
  importModule: ImportModule,
  { env, redact = createRedactor() }: Omit<OpenProjectOptions, 'config'> = {},
) {
  /** The valid part of the project; `null` if its folder could not be read. */
  let opened: OpenedProject | null = null;
  let problems: readonly VirguleError[];
  try {
    opened = await openProject(root, importModule, { env, redact });
    problems = opened.problems;
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    problems = [error];
  }
  /** Sorted by file, then by line and column. */
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

/** Returns a finding with one form of its location: one about a whole file is at its first line. */
function placed(
  severity: Finding['severity'],
  problem: VirguleError,
  root: string,
  redact: Redactor,
): Finding {
  const { location } = problem;
  if (!location) return { severity, problem };
  // A folder has no first line, nor has a file that was never there.
  const firstLine = readSource(resolve(root, location.file)) === undefined ? undefined : 1;
  const { line = firstLine, column = line && 1 } = location;
  const { file } = locationIn(root, location);
  const found = changeError(problem, { location: { file, line, column } });
  return { severity, problem: redactError(withFrame(found, root), redact) };
}
