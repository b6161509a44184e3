import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  formatLocation,
  redactError,
  VirguleError,
  type SourceLocation,
} from '@virgule/core/errors';
import type { SimProblem } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';

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
