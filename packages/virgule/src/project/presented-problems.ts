// Separate from `project-problems.ts`, because the command line reads that file for every command, and no code of the runtime.
import { relative, resolve } from 'node:path';
import { redactError, type VirguleError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import { compareText } from '@virgule/core/text';
import { withFrame } from '../loader/code-frame.js';
import { withMisplacedCode } from './misplaced-code.js';

/** Returns problems for display: with the lines around their places, without secrets, sorted by file. */
export function presented(problems: readonly VirguleError[], root: string, redact: Redactor) {
  return withMisplacedCode(problems, root)
    .map((problem) => redactError(withFrame(problem, root), redact))
    .sort(byPlace(root));
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
