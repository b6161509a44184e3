import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Manifest } from '@virgule/runtime/project';
import { build, type BuildFailure, type Message, type Metafile } from 'esbuild';
import { cliErrors } from '../cli/cli-errors.js';
import { contentHash } from './content-hash.js';
import { entryModules, entrySource } from './entry-source.js';
import { externalNatives } from './external-natives.js';

/** A bot in one file. */
export interface Bundle {
  readonly bot: Uint8Array;
  /** Its source map. */
  readonly map: Uint8Array;
  /** SHA-256 of the project's own files in it, by path from the root. */
  readonly sources: Readonly<Record<string, string>>;
  /** Packages that were left out, since they have native code. */
  readonly external: readonly string[];
  /** Whether every language of zod is in it, since esbuild cannot see what `import { z }` uses. */
  readonly wholeZod: boolean;
}

/** Short enough for a line of it to be read in an error that no source map explains. */
const LINE_CHARACTERS = 160;

/**
 * Bundles a project for `dist/bot.mjs`, in memory.
 *
 * @throws VirguleError `E_BUILD_FAILED` when a file cannot be bundled.
 */
export async function bundle(root: string, manifest: Manifest): Promise<Bundle> {
  const external = new Set<string>();
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: entrySource(manifest),
      resolveDir: root,
      sourcefile: 'bot.mjs',
      loader: 'js',
    },
    // Where it ends up, which the source map depends on.
    outfile: join(root, 'dist', 'bot.mjs'),
    write: false,
    metafile: true,
    // Paths in errors are shown from the project's root.
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    // Node.js keeps the text of a program in memory. Names stay, for stacks and errors.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: LINE_CHARACTERS,
    legalComments: 'none',
    logLevel: 'silent',
    // Bundled CommonJS packages call require for Node's own modules.
    banner: {
      js: "import { createRequire as createRequireOfBot } from 'node:module'; const require = createRequireOfBot(import.meta.url);",
    },
    plugins: [entryModules(root, manifest), externalNatives(external)],
  }).catch((error: unknown) => {
    throw buildError(error);
  });
  const find = (ending: string): Uint8Array =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.contents ?? new Uint8Array();
  return {
    bot: find('bot.mjs'),
    map: withoutPackageTexts(find('bot.mjs.map')),
    sources: await hashSources(root, metafile),
    external: [...external].sort(),
    wholeZod: isWholeZod(metafile),
  };
}

/**
 * Leaves the texts of packages out of a source map, which Node.js reads at the start of a process and keeps.
 * Positions in them are found all the same.
 */
function withoutPackageTexts(map: Uint8Array): Uint8Array {
  // esbuild wrote it.
  const parsed = JSON.parse(Buffer.from(map).toString('utf8')) as SourceMap;
  const { sources, sourcesContent } = parsed;
  const kept = sourcesContent.map((text, n) => (isOwn(fromRoot(sources[n] ?? '')) ? text : null));
  return Buffer.from(`${JSON.stringify({ ...parsed, sourcesContent: kept })}\n`);
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
}

/** A source map stands in `dist/`. */
const fromRoot = (source: string): string => posix.join('dist', source);

/** Whether a path from the root is of the project itself. */
const isOwn = (file: string): boolean =>
  file !== 'bot.mjs' && !/^\.\.\/|(?:^|\/)node_modules\/|^<|:/.test(file);

/** Whoever wants languages has a few of them; all come only with what is not left out. */
const LANGUAGES_WANTED = 20;

function isWholeZod({ outputs }: Metafile): boolean {
  const used = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const languages = used.filter(
    ([file, { bytesInOutput }]) => bytesInOutput > 0 && /\/zod\/v4\/locales\/\w/.test(file),
  );
  return languages.length > LANGUAGES_WANTED;
}

/** The project's own files in a bundle, with the hash of each. */
async function hashSources(root: string, { inputs }: Metafile): Promise<Record<string, string>> {
  const own = Object.keys(inputs).filter(isOwn);
  const hashed = own.sort().map(async (file) => {
    return [file, contentHash(await readFile(join(root, file)))] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}

function buildError(error: unknown): unknown {
  const first: Message | undefined = isBuildFailure(error) ? error.errors[0] : undefined;
  if (!first) return error;
  const { location, text } = first;
  return cliErrors.E_BUILD_FAILED(
    { reason: text },
    {
      cause: error,
      location: location
        ? { file: location.file, line: location.line, column: location.column + 1 }
        : undefined,
    },
  );
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);
