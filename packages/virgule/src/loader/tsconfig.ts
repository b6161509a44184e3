import { errorText } from '@virgule/core/errors';
import { isObject, orUndefined } from '@virgule/core/objects';
import { createPathsMatcher, findTsconfig, parseTsconfig } from 'get-tsconfig';
import { loaderErrors } from './loader-errors.js';
import type { ProjectPaths } from './project-paths.js';
import { readSource } from './read-source.js';

/** Settings of the nearest tsconfig.json of a folder, including the files that it extends. */
interface TsconfigView {
  /** Compiler options, as JSON for esbuild, which reads the options that change its output. */
  readonly raw: string;
  /** Returns the absolute paths of a specifier according to `paths` and `baseUrl`, best first. */
  readonly match: (specifier: string) => readonly string[];
}

export type TsconfigReader = (folder: string) => TsconfigView;

const NONE: TsconfigView = { raw: '{}', match: () => [] };
/** Matches the keys under which get-tsconfig caches the texts of the files that it reads. */
const TEXT_KEY = /^readFileSync:(.+):utf8$/;
/** Matches a string, which stays, or a comment. */
const STRING_OR_COMMENT = /("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Creates a reader that reads each tsconfig once. A changed tsconfig needs a new reader. */
export function createTsconfigReader(paths: ProjectPaths, read = readSource): TsconfigReader {
  /** Settings by folder, and by path of the tsconfig. */
  const views = new Map<string, TsconfigView>();

  function invalid(file: string, reason: string, cause?: unknown): Error {
    const details = { reason, file: paths.display(file) };
    return loaderErrors.E_TSCONFIG_INVALID(details, { cause, location: { file } });
  }

  function viewOf(file: string): TsconfigView {
    const texts = new TextCache(read);
    /** Throws for a file that get-tsconfig accepts in part. */
    const refuseInvalid = (): void => {
      for (const [key, text] of texts) {
        const name = TEXT_KEY.exec(key)?.[1];
        if (name !== undefined && !isJsonWithComments(text)) throw invalid(name, 'it is not JSON');
      }
    };
    try {
      const config = parseTsconfig(file, texts);
      return {
        raw: JSON.stringify({ compilerOptions: config.compilerOptions }),
        match: createPathsMatcher({ path: file, config }) ?? NONE.match,
      };
    } catch (error) {
      throw invalid(file, errorText(error), error);
    } finally {
      // Replaces the error above, because this error names the file.
      refuseInvalid();
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

/** Cache of get-tsconfig, whose texts `read` provides. */
class TextCache extends Map<string, string> {
  readonly #read: typeof readSource;

  constructor(read: typeof readSource) {
    super();
    this.#read = read;
  }

  override get(key: string): string | undefined {
    const file = TEXT_KEY.exec(key)?.[1];
    const text = super.get(key) ?? (file === undefined ? undefined : this.#read(file));
    if (text !== undefined) this.set(key, text);
    return text;
  }
}

/** Returns whether a text is JSON with comments and trailing commas, as in a tsconfig.json. */
function isJsonWithComments(text: string): boolean {
  const plain = text
    .replace(/^\ufeff/, '')
    .replaceAll(STRING_OR_COMMENT, (_, string = '') => string);
  return isObject(orUndefined(() => JSON.parse(plain.replaceAll(/,(?=\s*[}\]])/g, ''))));
}
