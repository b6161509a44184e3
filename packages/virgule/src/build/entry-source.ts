import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Manifest } from '@virgule/runtime/project';
import type { Plugin } from 'esbuild';
import type { Bundle } from './bundle.js';
import { ENTRY } from './bundle-graph.js';

const OUTPUT = 'virgule:output';
const SETTINGS = 'virgule:settings';

/**
 * Creates the generated modules of a build. A statement between two static imports needs a separate module. Empty modules
 * replace the threads and the redaction of pino: the log of the framework uses neither, and the bundle contains no other pino;
 * an empty module replaces croner in a bot without tasks. undici loads HTTP/2 when a
 * connection uses it: loading it at once would take 2 % of the start.
 */
export function entryModules(root: string, { config, tasks }: Manifest): Plugin {
  const contents: Readonly<Record<string, string>> = {
    [OUTPUT]: `import { guardOutput } from 'virgule/bot'; export const output = guardOutput();`,
    [SETTINGS]:
      config === null
        ? ''
        : [
            `import { output } from '${OUTPUT}';`,
            `import * as settings from ${JSON.stringify(`./${config}`)};`,
            'output.settings(settings);',
          ].join('\n'),
  };
  return {
    name: 'entry-modules',
    setup(build) {
      build.onResolve({ filter: /^virgule:/ }, ({ path }) =>
        path in contents ? { path, namespace: 'virgule' } : undefined,
      );
      build.onResolve({ filter: /^(?:thread-stream|@pinojs\/redact)$/ }, ({ path, importer }) =>
        /[\\/]pino[\\/]lib[\\/]/.test(importer) ? { path, namespace: 'virgule' } : undefined,
      );
      build.onResolve({ filter: /^croner$/ }, ({ path, importer }) =>
        tasks.length === 0 && /[\\/]runtime[\\/]dist[\\/]/.test(importer)
          ? { path, namespace: 'virgule' }
          : undefined,
      );
      build.onLoad(
        { filter: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ },
        ({ path }) => ({
          contents: readFileSync(path, 'utf8').replace(
            "connectH2 = require('./client-h2.js')",
            "connectH2 = (...given) => require('./client-h2.js')(...given)",
          ),
        }),
      );
      build.onLoad({ filter: /.*/, namespace: 'virgule' }, ({ path }) => ({
        contents: contents[path] ?? '',
        resolveDir: root,
      }));
    },
  };
}

/**
 * Returns the source of the bundled program: the manifest, and imports of every file in the manifest. The imports are
 * static: for imports on demand, the bundler would wrap all imported modules in functions, including zod and undici,
 * which takes longer than it saves.
 */
export function entrySource(manifest: Manifest): string {
  const files = new Set<string>();
  for (const { file, middleware, errorHandlers } of [...manifest.commands, ...manifest.events]) {
    for (const path of [file, ...middleware, ...errorHandlers]) files.add(path);
  }
  for (const { file } of manifest.tasks) files.add(file);
  for (const file of [manifest.services, manifest.config]) if (file !== null) files.add(file);
  const paths = [...files].sort();
  return [
    "import { runBot } from 'virgule/bot';",
    `import { output } from '${OUTPUT}';`,
    // Precedes the other files: the settings declare secrets, which exceptions of these files must not show.
    `import '${SETTINGS}';`,
    ...paths.map(
      (path, index) => `import * as module${index} from ${JSON.stringify(`./${path}`)};`,
    ),
    `const modules = { ${paths.map((path, index) => `${JSON.stringify(path)}: module${index}`).join(', ')} };`,
    // Relative paths of files start next to the bundle, where the assets are.
    `await runBot({ manifest: ${JSON.stringify(manifest)}, modules, root: import.meta.dirname, output });`,
  ].join('\n');
}

/** Name of the bot's program if packages are installed next to it; `bot.mjs` then starts this program. */
const PROGRAM = 'program.mjs';

/**
 * Moves the bot into a separate file if packages have to be installed next to it. `bot.mjs` imports that file, and
 * names a missing package. Node.js resolves static imports before any code of a file runs, so the bot itself cannot
 * do this.
 */
export function withLauncher(bundle: Bundle): Bundle {
  const { outputs, leftOut } = bundle;
  const program = outputs.get(ENTRY);
  if (!program || leftOut.size === 0) return bundle;
  const moved = Buffer.from(program.code)
    .toString('utf8')
    .replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=${PROGRAM}.map`);
  const launcher = launcherSource([...leftOut.keys()], hash('sha256', moved));
  return {
    ...bundle,
    outputs: new Map([
      ...outputs,
      [ENTRY, { code: Buffer.from(launcher), map: Buffer.from(NO_MAP) }],
      [PROGRAM, { code: Buffer.from(moved), map: program.map }],
    ]),
  };
}

const NO_MAP = '{"version":3,"sources":[],"sourcesContent":[],"names":[],"mappings":""}\n';

/**
 * Returns the source of `bot.mjs`, which contains the hash of the program, so that the hash of `bot.mjs` identifies
 * the build.
 */
const launcherSource = (
  packages: readonly string[],
  hashed: string,
): string => `// Starts ${PROGRAM}, ${hashed}
const packages = ${JSON.stringify(packages)};
try {
  await import('./${PROGRAM}');
} catch (error) {
  const [, missing = ''] = /^Cannot find package '([^']+)'/.exec(error?.message) ?? [];
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !packages.includes(missing)) throw error;
  const { relative } = await import('node:path');
  const folder = relative(process.cwd(), import.meta.dirname) || '.';
  console.error(\`The package \${missing} is not installed next to the bot. The package has native code or reads its own files, so it cannot be part of the bundle.
Try:  npm install --omit=dev --prefix \${folder}\`);
  process.exit(1);
}
`;
