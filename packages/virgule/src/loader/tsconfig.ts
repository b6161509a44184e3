import { errorText } from '@virgule/core/errors';
import { createPathsMatcher, findTsconfig, parseTsconfig } from 'get-tsconfig';
import { transformSync } from 'esbuild';
import { codeFrame } from './code-frame.js';
import { faultIn, type SourceFault } from './source-fault.js';
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
/** The keys under which get-tsconfig keeps the texts of the files that it reads. */
const TEXT_KEY = /^readFileSync:(.+):utf8$/;

/** Reads each tsconfig once. One that changes needs a new reader. */
export function createTsconfigReader(paths: ProjectPaths): TsconfigReader {
  /** By folder, and by the file that was found. */
  const views = new Map<string, TsconfigView>();

  function read(file: string): TsconfigView {
    const texts = new Map<string, string>();
    try {
      const config = parseTsconfig(file, texts);
      return {
        raw: JSON.stringify({ compilerOptions: config.compilerOptions }),
        match: createPathsMatcher({ path: file, config }) ?? NONE.match,
      };
    } catch (error) {
      throw invalid(file, { reason: errorText(error) }, error);
    } finally {
      // What it throws replaces the error above: it names the place.
      refuseFaulty(texts);
    }
  }

  /** Refuses a tsconfig that is invalid, or one that it extends: get-tsconfig accepts it in part, esbuild refuses it. */
  function refuseFaulty(texts: ReadonlyMap<string, unknown>): void {
    for (const [key, text] of texts) {
      const file = TEXT_KEY.exec(key)?.[1];
      if (file === undefined || typeof text !== 'string') continue;
      const fault = faultIn(() => transformSync('', { tsconfigRaw: text, logLevel: 'silent' }));
      if (fault) throw invalid(file, fault, undefined, text);
    }
  }

  function invalid(file: string, fault: SourceFault, cause?: unknown, text = ''): Error {
    const { line, column } = fault;
    const frame = line === undefined ? '' : codeFrame(text, { line, column });
    return loaderErrors.E_TSCONFIG_INVALID(
      { ...fault, frame, file: paths.display(file) },
      { cause, location: { file, line, column } },
    );
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
