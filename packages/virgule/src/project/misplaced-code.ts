import { relative, resolve, sep } from 'node:path';
import type { VirguleError } from '@virgule/core/errors';
import { loaderErrors } from '../loader/loader-errors.js';
import { readSource } from '../loader/read-source.js';

/** Folder or file in which the call of a `define…` function belongs, with the pattern of valid paths. */
const HOMES: Readonly<Record<string, readonly [home: string, valid: RegExp]>> = {
  defineCommand: ['commands/', /^(?:src\/)?commands\//],
  defineEvent: ['events/', /^(?:src\/)?events\//],
  defineTask: ['tasks/', /^(?:src\/)?tasks\//],
  defineMiddleware: ['_middleware.ts', /\/_middleware\./],
  defineErrorHandler: ['_error.ts', /\/_error\./],
};
const CALL = new RegExp(`^export default (${Object.keys(HOMES).join('|')})\\b`, 'm');
/** Codes of the problems of a definition that is read as another kind. */
const EFFECTS = new Set(['E_NO_HANDLER', 'E_DESCRIPTION', 'E_UNKNOWN_KEY', 'E_SETTING']);

/** Replaces the problems of a definition in a file of another kind, such as a task among the commands, with one. */
export function withMisplacedCode(problems: readonly VirguleError[], root: string): VirguleError[] {
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
  const file = relative(root, path).split(sep).join('/');
  const found = CALL.exec(readSource(path) ?? '');
  const call = found?.[1] ?? '';
  const [home, valid] = HOMES[call] ?? [];
  if (!found || !home || valid?.test(file)) return undefined;
  const line = found.input.slice(0, found.index).split('\n').length;
  const location = { file, line, column: 1 };
  return loaderErrors.E_MISPLACED({ file, call, home }, { location });
}
