import { errorText } from '@virgule/core/errors';
import { createPathsMatcher, findTsconfig, getTsconfig, type TsConfigResult } from 'get-tsconfig';
import { codeFrame } from './code-frame.js';
import { jsonFault } from './json-fault.js';
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

/** How get-tsconfig keeps the text of a file in its cache: the tsconfig itself, and what it extends. */
const READ = /^readFileSync:(.*):utf8$/;

/** Reads each tsconfig once. One that changes needs a new reader. */
export function createTsconfigReader(paths: ProjectPaths): TsconfigReader {
  const views = new Map<string, TsconfigView>();
  const byFile = new Map<string, TsconfigView>();
  const cache = new Map<string, unknown>();

  function read(folder: string): TsconfigView {
    let found: TsConfigResult | null;
    try {
      found = getTsconfig(folder, 'tsconfig.json', cache);
    } catch (error) {
      refuseFaulty();
      const file = findTsconfig(folder) ?? folder;
      const reason = circularity(error, paths) ?? errorText(error);
      throw loaderErrors.E_TSCONFIG_INVALID(
        { file: paths.display(file), frame: '', reason },
        { cause: error, location: { file } },
      );
    }
    if (!found) return NONE;
    const known = byFile.get(found.path);
    if (known) return known;
    refuseFaulty();
    const view = toView(found);
    byFile.set(found.path, view);
    return view;
  }

  /** Refuses an invalid tsconfig: the reader above accepts it in part, and a bundler refuses it later. */
  function refuseFaulty(): void {
    for (const [key, text] of cache) {
      const file = READ.exec(key)?.[1];
      if (file === undefined || typeof text !== 'string') continue;
      const fault = jsonFault(text);
      if (!fault) continue;
      const { reason, line, column } = fault;
      const frame = codeFrame(text, { line, column });
      throw loaderErrors.E_TSCONFIG_INVALID(
        { file: paths.display(file), line, column, reason, frame },
        { location: { file, line, column } },
      );
    }
  }

  return (folder) => {
    const view = views.get(folder) ?? read(folder);
    views.set(folder, view);
    return view;
  };
}

/** Describes `extends` that never ends, which get-tsconfig reports with the last of its files. */
function circularity(error: unknown, paths: ProjectPaths): string | undefined {
  const last = /^Circularity detected .*: (.+)$/.exec(errorText(error))?.[1];
  return last === undefined
    ? undefined
    : `its "extends" is circular: ${paths.display(last)} extends a file that extends it again`;
}

function toView(tsconfig: TsConfigResult): TsconfigView {
  const { compilerOptions = {} } = tsconfig.config;
  return {
    raw: JSON.stringify({ compilerOptions }),
    match: createPathsMatcher(tsconfig) ?? NONE.match,
  };
}
