import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  changeError,
  formatLocation,
  isVirguleError,
  redactError,
  VirguleError,
  type SourceLocation,
} from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import type { SimProblem } from '@virgule/core/simulator-api';
import { compareText, countOf } from '@virgule/core/text';
import { runtimeErrors } from '@virgule/runtime/errors';
import { COMMAND_FOLDERS, notInProcess, type Env } from '@virgule/runtime/project';
import { withFrame } from '../loader/code-frame.js';

/** Error for all problems of a project: the first one, with the number of the others. */
export class ProjectProblems extends Error {
  readonly problems: readonly VirguleError[];

  constructor(problems: readonly VirguleError[]) {
    super(summaryOf(problems));
    this.problems = problems;
  }
}

function summaryOf([first, ...others]: readonly VirguleError[]): string {
  if (!first) return 'no problem';
  const { code, message, location, hint } = first;
  const where = location ? ` (${formatLocation(location)})` : '';
  const more = others.length > 0 ? `\n(and ${countOf(others.length, 'other problem')})` : '';
  // Test runners print the message of an error only.
  const action = hint ? `\nTry:  ${hint}` : '';
  return `[${code}] ${message}${where}${action}${more}`;
}

/** Returns a problem for the page of the simulator, without secrets. */
export function toSimProblem(
  error: VirguleError,
  root: string,
  redact: (text: string) => string = (text) => text,
): SimProblem {
  const { code, message, hint, location, details } = redactError(error, redact);
  const { frame } = details;
  return {
    code,
    message,
    hint,
    where: location && formatLocation(locationIn(root, location)),
    frame: typeof frame === 'string' ? frame : undefined,
  };
}

/** Returns a problem of another process as an error. */
export function fromSimProblem({ code, message, hint, where, frame }: SimProblem): VirguleError {
  return new VirguleError({
    code,
    kind: 'user',
    message,
    hint,
    details: { frame },
    location: where === undefined ? undefined : { file: where },
  });
}

/** Returns a location whose file is relative to the root, with `/`, if the file is inside the root. */
export function locationIn(root: string, location: SourceLocation): SourceLocation {
  const path = relative(root, resolve(root, location.file)).split(sep).join('/');
  const isInside = path !== '' && !path.startsWith('../') && !isAbsolute(path);
  return isInside ? { ...location, file: path } : location;
}

/** Returns problems for display: with the lines around their places, without secrets, sorted by file. */
export function presented(
  problems: readonly VirguleError[],
  root: string,
  redact: Redactor,
): VirguleError[] {
  return problems
    .map((problem) => redactError(withFrame(withParent(problem, root), root), redact))
    .sort(byPlace(root));
}

/** Adds where variables of `.env` are missing, if code that threw names one of them. */
export function withVariable(problem: VirguleError, env: Env): VirguleError {
  const { message, hint, details } = problem;
  if (problem.code !== 'E_LOAD_FAILED') return problem;
  const words = new Set(`${message}\n${String(details['frame'])}`.match(/\w+/g));
  const name = notInProcess(env).find((variable) => words.has(variable));
  return name === undefined
    ? problem
    : changeError(problem, {
        hint: `${hint} Only virgule dev puts the variables of .env into process.env: set ${name} for this command, or read it in services.ts.`,
      });
}

/** Adds the parent folder that contains the bot, if this folder is below it. */
function withParent(problem: VirguleError, root: string): VirguleError {
  if (!isVirguleError(problem, 'E_NO_COMMANDS_FOLDER')) return problem;
  const parent = parentWith(root, COMMAND_FOLDERS);
  if (parent === undefined) return problem;
  const { location } = problem;
  return runtimeErrors.E_NO_COMMANDS_FOLDER({ lookedFor: COMMAND_FOLDERS, parent }, { location });
}

/** Returns a comparison that sorts problems by place; problems of the whole project come first. */
export function byPlace(root: string) {
  // The file of a problem is relative to the root, or absolute.
  const fileOf = ({ location }: VirguleError): string =>
    location ? relative(root, resolve(root, location.file)) : '';
  return (a: VirguleError, b: VirguleError): number =>
    compareText(fileOf(a), fileOf(b)) ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareText(a.code, b.code);
}

/**
 * Returns the path, such as `..`, to the closest parent that is a package with one of these files; else `undefined`.
 */
export function parentWith(folder: string, names: readonly string[]): string | undefined {
  for (let at = dirname(folder); ; at = dirname(at)) {
    const isFound = names.some((name) => existsSync(join(at, name)));
    if (isFound && existsSync(join(at, 'package.json'))) return relative(folder, at);
    if (dirname(at) === at) return undefined;
  }
}
