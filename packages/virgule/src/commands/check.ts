import { raceAbort } from '@virgule/core/abort';
import { formatError } from '@virgule/core/errors';
import { createColors } from '../terminal/colors.js';
import { createLoader } from '../loader/create-loader.js';
import { checkProject, type Finding, type ProjectCheck } from '../project/check-project.js';
import { defineCliCommand } from '../terminal/command.js';
import { countRoutes } from '../terminal/count-routes.js';
import { countOf, listOf } from '@virgule/core/text';
import { readableIoEnv } from '../terminal/read-io-env.js';

export const check = defineCliCommand({
  name: 'check',
  words: '',
  about: 'Check the project without starting it',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  exits: { 0: 'no errors; there may be warnings', 1: 'errors' },
  examples: ['virgule check', 'virgule check --json'],
  async run({ flags }, io) {
    const loader = createLoader({ root: io.cwd });
    const env = readableIoEnv(io, 'development');
    const result = await raceAbort(
      checkProject(io.cwd, loader.importModule, { env, redact: io.redact }),
      io.interrupt,
    );
    io.stdout.write(flags.json ? `${JSON.stringify(asJson(result))}\n` : asText(result, io.color));
    return result.errors > 0 ? 1 : 0;
  },
});

function asText(result: ProjectCheck, color: boolean): string {
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

function asJson({ findings, errors, warnings }: ProjectCheck) {
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
