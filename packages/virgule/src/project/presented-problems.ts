// Separate from `project-problems.ts`, because the command line reads that file for every command, and no code of the runtime.
import { relative, resolve } from 'node:path';
import { redactError, type VirguleError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import { compareText } from '@virgule/core/text';
import { withFrame } from '../loader/code-frame.js';
import { loaderErrors } from '../loader/loader-errors.js';
import { readSource } from '../loader/read-source.js';
import { locationIn } from './project-problems.js';

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

/** Folder or file in which the call of a `define…` function belongs, with the pattern of valid paths. */
const HOMES: ReadonlyMap<string, readonly [home: string, valid: RegExp]> = new Map([
  ['defineCommand', ['commands/', /^(?:src\/)?commands\//]],
  ['defineEvent', ['events/', /^(?:src\/)?events\//]],
  ['defineTask', ['tasks/', /^(?:src\/)?tasks\//]],
  ['defineMiddleware', ['_middleware.ts', /\/_middleware\./]],
  ['defineErrorHandler', ['_error.ts', /\/_error\./]],
]);
const DEFAULT_EXPORT = /^export default (\w*)/gm;
/** Codes of the problems of a definition that is read as another kind. */
const EFFECTS = new Set(['E_NO_HANDLER', 'E_DESCRIPTION', 'E_UNKNOWN_KEY', 'E_SETTING']);

/** Replaces the problems of a definition in a file of another kind, such as a task among the commands, with one. */
function withMisplacedCode(problems: readonly VirguleError[], root: string): VirguleError[] {
  const causes = new Map<string, VirguleError | undefined>();
  return problems.flatMap((problem) => {
    const { code, location } = problem;
    if (!location || !EFFECTS.has(code)) return [problem];
    const path = resolve(root, location.file);
    const isFirst = !causes.has(path);
    if (isFirst) causes.set(path, misplacedCode(path, root));
    const cause = causes.get(path);
    if (!cause) return [problem];
    return isFirst ? [cause] : [];
  });
}

function misplacedCode(path: string, root: string): VirguleError | undefined {
  const { file } = locationIn(root, { file: path });
  // An example or an earlier version in a comment may come first.
  const exports = [...(readSource(path) ?? '').matchAll(DEFAULT_EXPORT)];
  const found = exports.at(-1);
  const call = found?.[1] ?? '';
  const [home, valid] = HOMES.get(call) ?? [];
  const isClear = exports.every(([, other]) => other === call);
  if (!found || !isClear || !home || valid?.test(file)) return undefined;
  const line = found.input.slice(0, found.index).split('\n').length;
  const location = { file, line, column: 1 };
  return loaderErrors.E_MISPLACED({ file, call, home }, { location });
}
