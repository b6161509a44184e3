import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errorText } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { createPathsMatcher, findTsconfig, parseTsconfig } from 'get-tsconfig';
import { codeFrame } from './code-frame.js';
import { readJsonc, type JsonFault } from './json-fault.js';
import { loaderErrors } from './loader-errors.js';
import type { ProjectPaths } from './project-paths.js';

/** What a tsconfig means for one file. */
interface TsconfigView {
  /** Its options, as JSON for esbuild, which reads those that change what is emitted. */
  readonly raw: string;
  /** The absolute paths of a specifier by `paths` and `baseUrl`, best first. */
  readonly match: (specifier: string) => readonly string[];
}

/** Finds the nearest tsconfig.json of a folder, with what it extends. */
export type TsconfigReader = (folder: string) => TsconfigView;

const NONE: TsconfigView = { raw: '{}', match: () => [] };

/** Reads each tsconfig once. One that changes needs a new reader. */
export function createTsconfigReader(paths: ProjectPaths): TsconfigReader {
  /** By folder, and by the file that was found. */
  const views = new Map<string, TsconfigView>();

  function read(file: string): TsconfigView {
    refuseFaulty(file, paths);
    try {
      const config = parseTsconfig(file);
      return {
        raw: JSON.stringify({ compilerOptions: config.compilerOptions }),
        match: createPathsMatcher({ path: file, config }) ?? NONE.match,
      };
    } catch (error) {
      throw invalid(file, { reason: errorText(error) }, paths, error);
    }
  }

  return (folder) => {
    const known = views.get(folder);
    if (known) return known;
    const file = findTsconfig(folder);
    const view = file === undefined ? NONE : (views.get(file) ?? read(file));
    views.set(folder, view);
    if (file !== undefined) views.set(file, view);
    return view;
  };
}

/**
 * Refuses a tsconfig if it is invalid, or one that it extends: get-tsconfig accepts it in part, and a bundler refuses it
 * later. Those that are not found are refused when it is read.
 *
 * @param extending - those that led to this one, from that of the project on.
 */
function refuseFaulty(file: string, paths: ProjectPaths, extending: readonly string[] = []): void {
  const chain = [...extending, file];
  const text = readFileSync(file, 'utf8');
  const { value, fault } = readJsonc(text);
  if (fault) throw invalid(file, { ...fault, frame: codeFrame(text, fault) }, paths);
  const names = isObject(value) && 'extends' in value ? [value.extends].flat() : [];
  for (const name of names) {
    const extended = typeof name === 'string' ? findExtended(name, file) : undefined;
    if (extended === undefined) continue;
    if (chain.includes(extended)) {
      const reason = `its "extends" is circular: ${paths.display(file)} extends a file that extends it again`;
      throw invalid(extending[0] ?? file, { reason }, paths);
    }
    refuseFaulty(extended, paths, chain);
  }
}

function findExtended(name: string, from: string): string | undefined {
  const { resolve } = createRequire(from);
  for (const each of [`${name}.json`, name, `${name}/tsconfig.json`]) {
    try {
      const file = resolve(each);
      if (file.endsWith('.json')) return file;
    } catch {
      // It is one of the others.
    }
  }
  return undefined;
}

function invalid(
  file: string,
  fault: Partial<JsonFault> & { readonly reason: string; readonly frame?: string },
  paths: ProjectPaths,
  cause?: unknown,
): Error {
  const { line, column } = fault;
  return loaderErrors.E_TSCONFIG_INVALID(
    { frame: '', ...fault, file: paths.display(file) },
    { cause, location: { file, line, column } },
  );
}
