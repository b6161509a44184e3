import { isAbsolute, relative, resolve, sep } from 'node:path';
import { changeError, isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import { compareText } from '@virgule/core/text';
import { createRedactor, type Redactor } from '@virgule/core/log';
import type { ImportModule } from '@virgule/runtime/project';
import { readSource } from '../loader/read-source.js';
import { openProject, type OpenedProject, type OpenProjectOptions } from './open-project.js';
import { withFrame } from './with-frame.js';

/** One thing that is wrong with a project, or hardly meant so. */
export interface Finding {
  /** An `error` keeps the bot from starting, a `warning` does not. */
  readonly severity: 'error' | 'warning';
  /** With its file from the project's root, and with line and column where it is about a file. */
  readonly problem: VirguleError;
}

export interface ProjectCheck {
  /** Sorted by file, then by line and column. */
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
  /** The valid part of the project; `null` if its folder could not be read. */
  readonly opened: OpenedProject | null;
}

/** Finds everything that is wrong with a project. Imports its files and starts nothing. */
export async function checkProject(
  root: string,
  importModule: ImportModule,
  { env, redact = createRedactor() }: Omit<OpenProjectOptions, 'config'> = {},
): Promise<ProjectCheck> {
  let opened: OpenedProject | null = null;
  let problems: readonly VirguleError[];
  try {
    opened = await openProject(root, importModule, { env, redact });
    problems = opened.problems;
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    problems = [error];
  }
  const findings = [
    ...problems.map((problem) => placed('error', problem, root, redact)),
    ...(opened?.warnings ?? []).map((warning) => placed('warning', warning, root, redact)),
  ].sort(byPlace);
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
  const full = resolve(root, location.file);
  const path = relative(root, full).split(sep).join('/');
  const isInside = path !== '' && !path.startsWith('../') && !isAbsolute(path);
  // A folder has no first line, nor has a file that was never there.
  const firstLine = readSource(full) === undefined ? undefined : 1;
  const { line = firstLine, column = line && 1 } = location;
  const at = { file: isInside ? path : location.file, line, column };
  const found = changeError(problem, { location: at });
  return { severity, problem: redactError(withFrame(found, root), redact) };
}

function byPlace({ problem: a }: Finding, { problem: b }: Finding): number {
  return (
    compareText(a.location?.file ?? '', b.location?.file ?? '') ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code)
  );
}
