import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scan } from '@virgule/runtime/project';
import { writeTypes } from '../src/project/write-types.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the TypeScript compiler in a folder, and returns its exit code and its output.
 *
 * @param mode - `--build` checks the projects that it references, side by side
 */
export function typeCheck(
  folder: string,
  mode: '--project' | '--build' = '--project',
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [`${repository}node_modules/typescript/bin/tsc`, mode, '.'],
    {
      cwd: folder,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Matches the code of a file whose types the commands of a bot declare, or that declares types itself. */
export const DECLARING = /declare module|defineServices\(|\benv: z\.|\benv,|payload: z\./;

/** Declares the types of a bot as its commands do. @param files - paths relative to its root */
export function declareTypes(root: string, files: readonly string[]): void {
  const warning = writeTypes(root, scan(files).manifest);
  if (warning) throw warning;
}

/** Compiler options under which a bot's folder anywhere finds the types of Node.js. */
export const BOT_TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    types: ['node'],
    typeRoots: [`${repository}node_modules/@types`],
  },
});
