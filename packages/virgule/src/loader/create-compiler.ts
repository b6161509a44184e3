import path from 'node:path';
import { compileJson } from './compile-json.js';
import { compileModule } from './compile-module.js';
import type { CompiledModule } from './compiled-module.js';
import type { LoaderParts } from './loader-parts.js';
import { readChangedSource, readSource, type SourceText } from './read-source.js';

/** A decorator at the beginning of a line. */
const DECORATOR = /^[ \t]*@[\p{ID_Start}_$]/mu;

/** Reads and compiles the current text of a file. Rejects with an error that has the place. */
export type Compiler = (file: string) => Promise<CompiledModule>;

export function createCompiler(parts: LoaderParts): Compiler {
  const { failures, clock, log, paths } = parts;
  let hasWarned = false;

  /** Warns once that decorators get no metadata, which their libraries miss much later. */
  function warnOfMetadata(file: string, text: string, tsconfig: string): void {
    if (hasWarned || !tsconfig.includes('"emitDecoratorMetadata":true') || !DECORATOR.test(text))
      return;
    hasWarned = true;
    log.warn(
      { file: paths.display(file) },
      'emitDecoratorMetadata of tsconfig.json has no effect: esbuild knows no types; pass them to the decorators instead, such as @Inject(Storage)',
    );
  }

  async function compile(file: string, text: string): Promise<CompiledModule> {
    const { raw } = parts.tsconfig(path.dirname(file));
    try {
      if (file.endsWith('.json')) return await compileJson(file, text);
      const compiled = await compileModule(file, text, raw, parts);
      warnOfMetadata(file, text, raw);
      return compiled;
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
