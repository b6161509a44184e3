import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** Used parts of a Vite plugin, so that types need neither Vite nor vitest. */
export interface VirgulePlugin {
  readonly name: 'virgule';
  config(): object;
  configResolved(config: { readonly root: string }): void;
  transform(code: string, id: string): string | undefined;
}

/**
 * Returns a plugin for `vitest.config.ts` with which vitest imports the files of a bot: tests run again after a
 * change of these files, `vi.mock` applies to imports of commands, and coverage counts lines of the files. The plugin
 * also registers the matchers of `virgule/testing`.
 *
 * Without the plugin, `createTestBot` imports the files with Virgule's own loader, as `virgule dev` does.
 */
export function virgule(): VirgulePlugin {
  const setup = join(PACKAGE_FOLDER, 'dist/testing/vitest-setup.js');
  let root = '';
  return {
    name: 'virgule',
    configResolved: (config) => void (root = config.root),
    transform: (code, id) =>
      id === setup ? code.replace('__VIRGULE_ROOT__', JSON.stringify(root)) : undefined,
    config: () => ({
      resolve: { tsconfigPaths: true },
      test: { setupFiles: [setup], server: { deps: { inline: [setup] } } },
    }),
  };
}
