import inspector from 'node:inspector';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { init } from 'es-module-lexer';
import type { TransformOptions } from 'esbuild';
import { transform } from './esbuild.js';
import { readChangedSource } from './read-source.js';
import type { CompiledModule, ModuleScope } from './graph-module.js';
import {
  ASYNC_RUN,
  HEAD_LINES,
  META_NAME,
  printAsyncModule,
  readModule,
  REQUEST,
  type ModuleParts,
} from './read-module.js';
import type { LoaderParts } from './create-loader.js';
import { readSourceMap, withSourceMap } from './stack-traces.js';

/** esbuild loaders by file extension; every other extension uses `js`. */
const LOADERS: Readonly<Record<string, 'ts' | 'tsx' | 'jsx' | 'json'>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  // The keys of an object are exports too, as in bundlers.
  '.json': 'json',
};

const COMMON = {
  target: `node${process.versions.node}`,
  platform: 'neutral',
  charset: 'utf8',
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'silent',
} as const satisfies TransformOptions;

const CJS = { ...COMMON, format: 'cjs', banner: '"use strict";' } as const;

type Emitted = ModuleParts & { readonly map: string; readonly async: boolean };

/** Latest output of esbuild for each file. */
export type EmittedFiles = Map<
  string,
  { readonly source: string; readonly emitted: Promise<Emitted> }
>;

/** Compiles a file, or its given text. Rejects with an error that contains the place. */
export type Compiler = (file: string, given?: string) => Promise<CompiledModule>;

/** Starts to compile the new text of a file, unless that has begun. The next `Compiler` takes the output if the text is the same. */
export function emitAhead(file: string, before: string, parts: LoaderParts): void {
  const { emittedFiles, readSource, tsconfig } = parts;
  if (emittedFiles.has(file)) return;
  const text = readSource(file);
  // Many editors empty a file before they write it.
  if (!text || text === before) return;
  const { raw } = tsconfig(path.dirname(file));
  const emitted = emit(file, text, raw);
  // The reload that takes the output reports the error.
  emitted.catch(() => {});
  emittedFiles.set(file, { source: sourceOf(raw, text), emitted });
}

export function createCompiler(parts: LoaderParts): Compiler {
  const { failures, clock, readSource } = parts;

  async function compile(file: string, text: string): Promise<CompiledModule> {
    const { raw } = parts.tsconfig(path.dirname(file));
    try {
      return await compileModule(file, text, raw, parts);
    } catch (error) {
      throw failures.syntax(file, text, error);
    }
  }

  return async (file, given) => {
    let text = given ?? readSource(file);
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
 * Compiles one module: esbuild removes the types, and converts imports into live bindings to the module's scope.
 *
 * @param tsconfigRaw - `compilerOptions` that change the output of TypeScript, as JSON of a tsconfig.
 * @throws The error of esbuild for a syntax error. For the few errors that only V8 finds, V8's `SyntaxError`, whose
 * stack starts with the place.
 */
async function compileModule(
  file: string,
  text: string,
  tsconfigRaw: string,
  { scripts, emittedFiles, keepsEmitted }: LoaderParts,
): Promise<CompiledModule> {
  const source = sourceOf(tsconfigRaw, text);
  const known = emittedFiles.get(file);
  const emitted = known?.source === source ? known.emitted : emit(file, text, tsconfigRaw);
  emittedFiles.set(file, { source, emitted });
  const { code, importName, hasMeta, map, async, ...shape } = await emitted.finally(() => {
    if (!keepsEmitted) emittedFiles.delete(file);
  });
  const script = scripts.add({ file, text, findSource: readSourceMap(map) });
  // Only a debugger reads the map; otherwise the map would waste memory.
  const isInspected = inspector.url() !== undefined;
  const mapped = isInspected ? withSourceMap(code, map) : code;
  const names = ['require', 'module', importName, ...(hasMeta ? [META_NAME] : [])];
  const body = compileFunction(mapped, names, { filename: script });
  const run: CompiledModule['run'] = (scope) =>
    runBody(body, hasMeta ? scope.meta() : undefined, scope, async);
  return { file, text, async, run, ...shape };
}

const sourceOf = (tsconfigRaw: string, text: string): string => `${tsconfigRaw}\n${text}`;

/** Returns a module in the output format of esbuild, CommonJS, with its source map. */
async function emit(file: string, text: string, tsconfigRaw: string): Promise<Emitted> {
  await init();
  const loader = LOADERS[path.extname(file)] ?? 'js';
  const options = { loader, tsconfigRaw, sourcefile: file } as const;
  const toEsModule = () => transform(text, { ...COMMON, ...options, format: 'esm' });
  if (loader === 'json') return emitSync((await toEsModule()).code, CJS);
  try {
    return await emitSync(text, { ...CJS, ...options });
  } catch {
    // CommonJS has no top-level await. Any other error occurs again in the asynchronous form.
    return emitAsync(await toEsModule());
  }
}

async function emitSync(text: string, options: TransformOptions): Promise<Emitted> {
  const { code, map } = await transform(text, options);
  return { map, async: false, ...readModule(code) };
}

/** Emits a module with top-level await: esbuild combines the map of its output with the map of its input. */
async function emitAsync(stripped: Pick<Emitted, 'code' | 'map'>): Promise<Emitted> {
  // esbuild wrote this map a moment ago, so the map has the shape of every source map.
  const { mappings, ...others } = JSON.parse(stripped.map) as { mappings: string };
  const input = JSON.stringify({ ...others, mappings: ';'.repeat(HEAD_LINES) + mappings });
  const { text, names } = printAsyncModule(stripped.code);
  const emitted = await emitSync(withSourceMap(text, input), CJS);
  return { ...emitted, localExports: new Set(names), async: true };
}

// compileFunction returns a plain Function; its parameters are the four names given above.
type Body = ReturnType<typeof compileFunction>;

function runBody(
  body: Body,
  meta: object | undefined,
  scope: ModuleScope,
  isAsync: boolean,
): void | Promise<void> {
  let ofBody: Record<string, unknown> = {};
  const module = {
    // esbuild assigns the getters of all exports before the first require, so another module of a cycle can read the
    // exports of a running module.
    set exports(exports: Record<string, unknown>) {
      ofBody = exports;
      if (!isAsync) scope.setExports(exports);
    },
  };
  body(requireFrom(scope), module, scope.importDynamic, meta);
  type Run = (setExports: ModuleScope['setExports']) => Promise<void>;
  // `printAsyncModule` prints this function.
  return isAsync ? (ofBody[ASYNC_RUN] as Run)(scope.setExports) : undefined;
}

function requireFrom(scope: ModuleScope): (request: string) => object {
  return (request) => {
    const [, star, specifier] = REQUEST.exec(String(request)) ?? [];
    if (specifier !== undefined) return scope.requireView(specifier, star === '*');
    throw new ReferenceError(
      'require is not defined in an ES module; use import, or createRequire of node:module',
    );
  };
}
