import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isVirguleError, redactError, VirguleError } from '@virgule/core/errors';
import { compareText } from '@virgule/core/text';
import { createRedactor, type Redactor } from '@virgule/core/log';
import type { ImportModule } from '@virgule/runtime/project';
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
  const { line = isReadable(full) ? 1 : undefined, column = line && 1 } = location;
  const file = isInside ? path : location.file;
  const { code, kind, message, hint, details, cause } = problem;
  const at = { code, kind, message, hint, details, cause, location: { file, line, column } };
  return { severity, problem: redactError(withFrame(new VirguleError(at), root), redact) };
}

function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    // It is a folder, or was never there.
    return false;
  }
}

function byPlace({ problem: a }: Finding, { problem: b }: Finding): number {
  return (
    compareText(a.location?.file ?? '', b.location?.file ?? '') ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code)
  );
}
