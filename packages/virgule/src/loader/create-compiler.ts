import path from 'node:path';
import type { Clock } from '@virgule/core/clock';
import { compileJson } from './compile-json.js';
import { compileModule } from './compile-module.js';
import type { CompiledModule } from './compiled-module.js';
import type { LoadFailures } from './load-failure.js';
import { readChangedSource, readSource, type SourceText } from './read-source.js';
import type { ScriptTable } from './script-table.js';
import type { TsconfigReader } from './tsconfig.js';

export interface CompilerOptions {
  readonly scripts: ScriptTable;
  readonly failures: LoadFailures;
  readonly tsconfig: TsconfigReader;
  readonly clock: Clock;
  readonly inspect: boolean;
}

/** Reads and compiles the current text of a file. Rejects with an error that has the place. */
export type Compiler = (file: string) => Promise<CompiledModule>;

const LOADERS = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.jsx': 'jsx',
} as const;

export function createCompiler({
  scripts,
  failures,
  tsconfig,
  clock,
  inspect,
}: CompilerOptions): Compiler {
  async function compile(file: string, text: string): Promise<CompiledModule> {
    const { raw } = tsconfig(path.dirname(file));
    try {
      if (file.endsWith('.json')) return await compileJson(file, text);
      return await compileModule({
        file,
        text,
        loader: loaderOf(file),
        tsconfigRaw: raw,
        scripts,
        inspect,
      });
    } catch (error) {
      throw failures.syntax(file, text, error);
    }
  }

  async function compileSource(file: string, source: SourceText): Promise<CompiledModule> {
    if (source.sizeBytes > 0) return compile(file, source.text);
    // Many editors empty a file before they write it.
    const full = await readChangedSource(file, source, clock);
    return compile(file, full?.text ?? source.text);
  }

  return async (file) => {
    const source = readSource(file);
    if (!source) throw failures.noFile(file);
    try {
      return await compileSource(file, source);
    } catch (error) {
      const settled = await readChangedSource(file, source, clock);
      if (!settled) throw error;
      return compile(file, settled.text);
    }
  };
}

function loaderOf(file: string): 'ts' | 'tsx' | 'js' | 'jsx' {
  const extension = path.extname(file);
  return extension in LOADERS ? LOADERS[extension as keyof typeof LOADERS] : 'js';
}
