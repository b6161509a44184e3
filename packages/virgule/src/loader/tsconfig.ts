import { errorText } from '@virgule/core/errors';
import { createPathsMatcher, findTsconfig, parseTsconfig } from 'get-tsconfig';
import { loaderErrors } from './loader-errors.js';
import type { ProjectPaths } from './project-paths.js';

/** Settings of the nearest tsconfig.json of a folder, including the files that it extends. */
interface TsconfigView {
  /** Compiler options, as JSON for esbuild, which reads the options that change its output. */
  readonly raw: string;
  /** Returns the absolute paths of a specifier according to `paths` and `baseUrl`, best first. */
  readonly match: (specifier: string) => readonly string[];
}

export type TsconfigReader = (folder: string) => TsconfigView;

const NONE: TsconfigView = { raw: '{}', match: () => [] };

/** Creates a reader that reads each tsconfig once. A changed tsconfig needs a new reader. */
export function createTsconfigReader(paths: ProjectPaths): TsconfigReader {
  /** Settings by folder, and by path of the tsconfig. */
  const views = new Map<string, TsconfigView>();

  function viewOf(file: string): TsconfigView {
    try {
      const config = parseTsconfig(file);
      return {
        raw: JSON.stringify({ compilerOptions: config.compilerOptions }),
        match: createPathsMatcher({ path: file, config }) ?? NONE.match,
      };
    } catch (error) {
      throw loaderErrors.E_TSCONFIG_INVALID(
        { reason: errorText(error), file: paths.display(file) },
        { cause: error, location: { file } },
      );
    }
  }

  return (folder) => {
    const known = views.get(folder);
    if (known) return known;
    const file = findTsconfig(folder);
    const view = file === undefined ? NONE : (views.get(file) ?? viewOf(file));
    views.set(folder, view);
    if (file !== undefined) views.set(file, view);
    return view;
  };
}
