import { formatError } from '@virgule/core/errors';
import { countOf, listOf } from '@virgule/core/text';
import { createColors } from '../terminal/colors.js';
import { countRoutes } from '../terminal/count-routes.js';
import type { Finding, ProjectCheck } from './check-project.js';

/** Returns the findings of a check as text, with a summary at the end. */
export function describeCheck(result: ProjectCheck, color: boolean): string {
  const { bold, dim, green, red, yellow } = createColors(color);
  const findings = result.findings.map(({ severity, problem }) =>
    severity === 'error'
      ? formatError(problem, { strong: (text) => bold(red(text)), dim })
      : formatError(problem, { strong: (text) => bold(yellow(text)), dim, title: 'Warning' }),
  );
  const mark = result.errors > 0 ? red('✗') : result.warnings > 0 ? yellow('!') : green('✓');
  return [...findings, `${mark} ${summary(result)}\n`].join('\n\n');
}

function summary({ findings, errors, warnings, opened }: ProjectCheck): string {
  const counts = [
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
  ];
  if (counts.length === 0) {
    const { commands = [], events = [], tasks = [] } = opened?.manifest ?? {};
    const counts = { commands: commands.length, events: events.length, tasks: tasks.length };
    return `No problems: ${countRoutes(counts)}.`;
  }
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
