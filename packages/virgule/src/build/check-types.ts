import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { orUndefined } from '@virgule/core/objects';
import { cliErrors } from '../terminal/cli-errors.js';

/** Matches a place in the output of the compiler: `commands/a.ts(3,7): error TS2322: …`. */
const DIAGNOSTIC = /^(.+?)\((\d+),(\d+)\): error TS\d+/gm;
const MAX_LINES = 30;

/**
 * Checks a project's types with the project's installed TypeScript.
 *
 * @returns `checked`, or the reason why types were not checked.
 * @throws VirguleError `E_TYPES` when there are errors.
 */
export async function checkTypes(root: string, signal?: AbortSignal) {
  if (!existsSync(join(root, 'tsconfig.json'))) return 'no-tsconfig';
  const compiler = findCompiler(root);
  if (compiler === undefined) return 'typescript-not-installed';
  const output = await runCompiler(compiler, root, signal);
  if (output === undefined) return 'checked';
  const places = [...output.matchAll(DIAGNOSTIC)];
  const [first] = places;
  const lines = output.trim().split('\n');
  const frame = [
    ...lines.slice(0, MAX_LINES),
    ...(lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more lines`] : []),
  ].join('\n');
  throw cliErrors.E_TYPES(
    { count: places.length, frame },
    {
      location: first?.[1]
        ? { file: first[1], line: Number(first[2]), column: Number(first[3]) }
        : undefined,
    },
  );
}

/** Returns the program of the TypeScript package that the project itself would import. */
function findCompiler(root: string): string | undefined {
  return orUndefined(() => {
    const file = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly bin?: { readonly tsc?: string };
    };
    return bin?.tsc === undefined ? undefined : join(dirname(file), bin.tsc);
  });
}

/** Resolves to the output of the compiler; `undefined` if it found no error. */
async function runCompiler(compiler: string, root: string, signal: AbortSignal | undefined) {
  const args = [compiler, '--noEmit', '--pretty', 'false', '-p', root];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, signal, maxBuffer: Infinity });
    return undefined;
  } catch (error) {
    const { code, stdout, stderr } = error as ExecFileException;
    // A program that did not run has the code of a system error.
    if (typeof code === 'string') throw error;
    return `${stdout}${stderr}`;
  }
}
