import { mkdir, rm, stat, writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildFailure, type Message } from 'esbuild';
import { wireCommands, type Manifest } from '@virgule/runtime/project';
import { cliErrors } from '../cli/cli-errors.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { externalNatives } from './external-natives.js';

export interface BuildOptions {
  /** The project's folder. */
  readonly root: string;
}

export interface BuildResult {
  /** Path of `dist/bot.mjs`. */
  readonly file: string;
  readonly bytes: number;
  readonly commands: number;
  readonly events: number;
  /** Packages with native code, which cannot be bundled and have to be installed where the bot runs. */
  readonly external: readonly string[];
}

/**
 * Bundles a project into `dist/bot.mjs`, with `dist/manifest.json` beside it. Everything is checked
 * before anything is written, and the files of an earlier build stay until the new ones are whole.
 *
 * @throws ProjectProblems when the project's files have problems, VirguleError `E_BUILD_FAILED` when they
 *   cannot be bundled, or the bundle not written.
 */
export async function buildBot({ root }: BuildOptions): Promise<BuildResult> {
  const { manifest, project, problems } = await openProject(
    root,
    createLoader({ root }).importModule,
  );
  if (problems.length > 0) throw new ProjectProblems(problems);

  const external = new Set<string>();
  const output = join(root, 'dist');
  const draft = join(root, '.virgule', 'build');
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await build({
      stdin: {
        contents: entrySource(manifest),
        resolveDir: root,
        sourcefile: 'bot.mjs',
        loader: 'js',
      },
      outfile: join(draft, 'bot.mjs'),
      // Paths in errors are shown from the project's root.
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'linked',
      legalComments: 'none',
      logLevel: 'silent',
      // Bundled CommonJS packages call require for Node's own modules.
      banner: {
        js: "import { createRequire as createRequireOfBot } from 'node:module'; const require = createRequireOfBot(import.meta.url);",
      },
      plugins: [externalNatives(external)],
    });
    await writeFile(
      join(draft, 'manifest.json'),
      `${JSON.stringify({ v: 1, ...manifest, registered: wireCommands(project) }, null, 2)}\n`,
    );
    await mkdir(output, { recursive: true });
    for (const name of ['bot.mjs.map', 'manifest.json', 'bot.mjs'])
      await rename(join(draft, name), join(output, name));
  } catch (error) {
    throw buildError(error);
  }
  const file = join(output, 'bot.mjs');
  return {
    file,
    bytes: (await stat(file)).size,
    commands: project.commands.size,
    events: manifest.events.length,
    external: [...external].sort(),
  };
}

/** The program: a static import of every file, and the manifest that says what each one is. */
function entrySource(manifest: Manifest): string {
  const files = new Set<string>();
  for (const { file, middleware, errorHandlers } of manifest.commands) {
    for (const path of [file, ...middleware, ...errorHandlers]) files.add(path);
  }
  for (const { file } of manifest.events) files.add(file);
  for (const file of [manifest.services, manifest.config]) if (file !== null) files.add(file);
  const paths = [...files].sort();
  return [
    "import { runBot } from 'virgule';",
    ...paths.map(
      (path, index) => `import * as module${index} from ${JSON.stringify(`./${path}`)};`,
    ),
    `const modules = { ${paths.map((path, index) => `${JSON.stringify(path)}: module${index}`).join(', ')} };`,
    `await runBot({ manifest: ${JSON.stringify(manifest)}, modules });`,
  ].join('\n');
}

function buildError(error: unknown): unknown {
  if (isDiskError(error)) {
    return cliErrors.E_BUILD_FAILED({ reason: error.message, isDisk: true }, { cause: error });
  }
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

/** Something stands in the way of what is written, or the disk is full. */
const isDiskError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error;

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);
