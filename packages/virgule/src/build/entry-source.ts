import type { Manifest } from '@virgule/runtime/project';
import type { Plugin } from 'esbuild';

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
