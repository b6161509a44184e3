import { readFileSync } from 'node:fs';
import type { Manifest } from '@virgule/runtime/project';
import type { Plugin } from 'esbuild';

const OUTPUT = 'virgule:output';
const SETTINGS = 'virgule:settings';

/**
 * Creates the generated modules of a build. A statement between two static imports needs a separate module. Empty modules
 * replace the transports of pino, its redaction and its flush of asynchronous output, and a short one its serializers: the
 * log of the framework has its own, and the bundle contains no other pino. An empty module replaces croner in a bot without
 * tasks. undici loads HTTP/2 when a connection uses it: loading it at once would take 2 % of the start. undici contains its
 * parser with and without SIMD; the bundle contains only the second, which runs on every processor.
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
    'pino-std-serializers': `export const err = (error) => error;
      export const mapHttpRequest = ({ method, url }) => ({ req: { method, url } });
      export const mapHttpResponse = ({ statusCode }) => ({ res: { statusCode } });`,
  };
  /** Modules that an empty or a generated module replaces, with the files that import them. */
  const unused: [RegExp, RegExp][] = [
    [
      /^(?:\.\/(?:lib\/)?(?:multistream|redaction|transport)|on-exit-leak-free|pino-std-serializers)$/,
      /[\\/]pino[\\/](?:lib[\\/]|pino\.js$)/,
    ],
  ];
  if (tasks.length === 0) unused.push([/^croner$/, /[\\/]runtime[\\/]dist[\\/]/]);
  return {
    name: 'entry-modules',
    setup(build) {
      build.onResolve({ filter: /^virgule:/ }, ({ path }) =>
        path in contents ? { path, namespace: 'virgule' } : undefined,
      );
      for (const [filter, importers] of unused)
        build.onResolve({ filter }, ({ path, importer }) =>
          importers.test(importer) ? { path, namespace: 'virgule' } : undefined,
        );
      build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, ...from }) =>
        build.resolve(path.replace('_simd', ''), from),
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
  for (const { file, middleware, errorHandlers } of [...manifest.commands, ...manifest.events])
    for (const path of [file, ...middleware, ...errorHandlers]) files.add(path);
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
