import { resolve } from 'node:path';
import { changeError, isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import { createRedactor } from '@virgule/core/log';
import { countOf, listOf } from '@virgule/core/text';
import type { ImportModule } from '@virgule/runtime/project';
import { readSource } from '../loader/read-source.js';
import { createColors } from '../terminal/colors.js';
import { countRoutes } from '../terminal/count-routes.js';
import { fittedError } from '../terminal/print-problems.js';
import { openProject, type OpenedProject, type OpenProjectOptions } from './open-project.js';
import { byPlace } from './presented-problems.js';
import { locationIn } from './project-problems.js';
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

  /** Returns a finding with a normalized location: a finding about a whole file is at its first line. */
  function placed(severity: Finding['severity'], problem: VirguleError): Finding {
    const { location } = problem;
    if (!location) return { severity, problem };
    // A folder or a missing file has no first line.
    const firstLine = readSource(resolve(root, location.file)) === undefined ? undefined : 1;
    const { line = firstLine, column = line && 1 } = location;
    const { file } = locationIn(root, location);
    const found = changeError(problem, { location: { file, line, column } });
    return { severity, problem: redactError(withFrame(found, root), redact) };
  }

  /** Findings sorted by file, then by line and column. */
  const findings: readonly Finding[] = [
    ...problems.map((problem) => placed('error', problem)),
    ...(opened?.warnings ?? []).map((warning) => placed('warning', warning)),
  ].sort((a, b) => byPlace(root)(a.problem, b.problem));
  return { findings, errors: problems.length, warnings: findings.length - problems.length, opened };
}

/** Returns the findings of a check as text, with a summary at the end. */
export function describeCheck(result: ProjectCheck, color: boolean, columns: number): string {
  const { bold, dim, green, red, yellow } = createColors(color);
  const findings = result.findings.map(({ severity, problem }) => {
    const [title, tone] = severity === 'error' ? ['Error', red] : ['Warning', yellow];
    return fittedError(problem, columns, { strong: (text) => bold(tone(text)), dim, title });
  });
  const mark = result.errors > 0 ? red('✗') : result.warnings > 0 ? yellow('!') : green('✓');
  return [...findings, `${mark} ${summary(result)}\n`].join('\n\n');
}

/** Returns the numbers of files that were found, such as `2 commands, 0 event handlers`. */
export function countFound({ opened }: ProjectCheck): string {
  const { commands = [], events = [], tasks = [] } = opened?.manifest ?? {};
  return countRoutes({ commands: commands.length, events: events.length, tasks: tasks.length });
}

function summary(check: ProjectCheck): string {
  const { findings, errors, warnings } = check;
  const counts = [
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
  ];
  if (counts.length === 0) return `No problems: ${countFound(check)}.`;
  const files = new Set(findings.map(({ problem }) => problem.location?.file));
  return `${listOf(counts)} in ${countOf(files.size, 'file')}.`;
}

/** Returns the findings of a check as data. */
export function checkAsJson({ findings, errors, warnings }: ProjectCheck) {
  return { v: 1, errors, warnings, findings: findings.map(findingAsJson) };
}

function findingAsJson({ severity, problem }: Finding) {
  const { code, message, hint, docsUrl, location, details } = problem;
  const { frame } = details;
  return {
    severity,
    code,
    message,
    hint: hint ?? null,
    docsUrl,
    file: location?.file ?? null,
    line: location?.line ?? null,
    column: location?.column ?? null,
    frame: typeof frame === 'string' && frame !== '' ? frame : null,
  };
}
