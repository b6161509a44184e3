import { hash } from 'node:crypto';
import type { Manifest } from '@virgule/runtime/project';
import type { Plugin } from 'esbuild';
import type { Bundle } from './bundle.js';
import { ENTRY } from './bundle-graph.js';

const OUTPUT = 'virgule:output';
const SETTINGS = 'virgule:settings';

/** Modules of a build that are no files. A statement between two static imports needs a module of its own. */
export function entryModules(root: string, { config }: Manifest): Plugin {
  const contents: Readonly<Record<string, string>> = {
    [OUTPUT]: `import { guardOutput } from 'virgule'; export const output = guardOutput();`,
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
      build.onLoad({ filter: /.*/, namespace: 'virgule' }, ({ path }) => ({
        contents: contents[path] ?? '',
        resolveDir: root,
      }));
    },
  };
}

/**
 * Returns the program that is bundled: the manifest, and the module of every file it names. They are
 * imported statically: to evaluate them on demand the bundler would wrap all of what they import in
 * functions, zod and undici among it, and that takes longer than it saves.
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
    "import { runBot } from 'virgule';",
    `import { output } from '${OUTPUT}';`,
    // Before the other files: it says what no exception of theirs may show.
    `import '${SETTINGS}';`,
    ...paths.map(
      (path, index) => `import * as module${index} from ${JSON.stringify(`./${path}`)};`,
    ),
    `const modules = { ${paths.map((path, index) => `${JSON.stringify(path)}: module${index}`).join(', ')} };`,
    // Relative paths of files start next to the bundle, where the assets are.
    `await runBot({ manifest: ${JSON.stringify(manifest)}, modules, root: import.meta.dirname, output });`,
  ].join('\n');
}

/** The bot of a build with packages outside, next to what starts it. */
const PROGRAM = 'program.mjs';

/**
 * Moves the bot into a file of its own if packages have to be installed next to it: `bot.mjs` imports that file, and
 * says what to install if one is missing. Node.js resolves static imports before any code of a file runs.
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

/** With the hash of the program, the hash of this file is that of the build. */
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
