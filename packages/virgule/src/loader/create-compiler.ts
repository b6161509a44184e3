import path from 'node:path';
import { isRecord } from '@virgule/core/objects';
import { transform } from 'esbuild';
import { compileModule } from './compile-module.js';
import type { CompiledModule } from './graph-module.js';
import type { LoaderParts } from './loader-parts.js';
import { readChangedSource, readSource } from './read-source.js';

/** A decorator at the beginning of a line. */
const DECORATOR = /^[ \t]*@[\p{ID_Start}_$]/mu;
const RUNS_TYPESCRIPT = 'typescript' in process.features && Boolean(process.features.typescript);
const TS_WORKER = /\bnew Worker\(\s*new URL\(\s*(['"`])[^'"`]+\.[mc]?ts\1/;

/** Reads and compiles the current text of a file. Rejects with an error that has the place. */
export type Compiler = (file: string) => Promise<CompiledModule>;

export function createCompiler(parts: LoaderParts): Compiler {
  const { failures, clock, log, paths } = parts;
  const warned = new Set<string>();

  function warnOnce(file: string, message: string): void {
    if (warned.has(message)) return;
    warned.add(message);
    log.warn({ file: paths.display(file) }, message);
  }

  /** Warns of what runs, but fails much later or does nothing. */
  function warn(file: string, text: string, tsconfig: string): void {
    if (tsconfig.includes('"emitDecoratorMetadata":true') && DECORATOR.test(text))
      warnOnce(
        file,
        'emitDecoratorMetadata of tsconfig.json has no effect: esbuild knows no types; pass them to the decorators instead, such as @Inject(Storage)',
      );
    if (!RUNS_TYPESCRIPT && TS_WORKER.test(text))
      warnOnce(
        file,
        `Node.js ${process.versions.node} cannot run a worker in TypeScript: use Node.js 22.18 or newer in development, or write the worker as .mjs`,
      );
  }

  async function compile(file: string, text: string): Promise<CompiledModule> {
    const { raw } = parts.tsconfig(path.dirname(file));
    try {
      if (file.endsWith('.json')) return await compileJson(file, text);
      const compiled = await compileModule(file, text, raw, parts);
      warn(file, text, raw);
      return compiled;
    } catch (error) {
      throw failures.syntax(file, text, error);
    }
  }

  return async (file) => {
    let text = readSource(file);
    if (text === undefined) throw failures.noFile(file);
    // Many editors empty a file before they write it.
    if (text === '') text = (await readChangedSource(file, text, clock)) ?? text;
    try {
      return await compile(file, text);
    } catch (error) {
      const settled = await readChangedSource(file, text, clock);
      if (settled === undefined) throw error;
      return compile(file, settled);
    }
  };
}

/**
 * Compiles a JSON file to a module with its value as default export; the keys of an object are
 * exports as well, as bundlers have it.
 *
 * @throws what esbuild throws, when the text is not JSON.
 */
async function compileJson(file: string, text: string): Promise<CompiledModule> {
  // Editors on Windows write it, and bundlers read over it.
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    // esbuild reports the exact place, which JSON.parse does not on every Node.js.
    await transform(json, { loader: 'json', sourcefile: file, logLevel: 'silent' });
    throw error;
  }
  const keys = isRecord(value) ? Object.keys(value) : [];
  return {
    file,
    text,
    async: false,
    requests: [],
    localExports: new Set([...keys, 'default']),
    reexports: new Map(),
    stars: [],
    dynamic: [],
    run({ setExports }) {
      // Parsed again, so that no run sees what another one did to the value.
      const fresh: unknown = JSON.parse(json);
      setExports({
        ...(isRecord(fresh) && fresh),
        default: fresh,
      });
    },
    findSource: (line, column) => ({ line: line + 1, column: column + 1 }),
  };
}
