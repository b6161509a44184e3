// Separate from `project-problems.ts`, because the command line reads that file for every command, and no code of the runtime.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isVirguleError, redactError, type VirguleError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import { compareText } from '@virgule/core/text';
import { runtimeErrors } from '@virgule/runtime/errors';
import { COMMAND_FOLDERS } from '@virgule/runtime/project';
import { withFrame } from '../loader/code-frame.js';

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

/** Adds the parent folder that contains the bot, if this folder is below it. */
function withParent(problem: VirguleError, root: string): VirguleError {
  if (!isVirguleError(problem, 'E_NO_COMMANDS_FOLDER')) return problem;
  const parent = parentWith(root, COMMAND_FOLDERS);
  if (parent === undefined) return problem;
  const { location } = problem;
  return runtimeErrors.E_NO_COMMANDS_FOLDER({ parent }, { location });
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
