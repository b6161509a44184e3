import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** The parts of a Vite plugin that are used here, so that neither Vite nor vitest is needed for types. */
export interface VirgulePlugin {
  readonly name: 'virgule';
  config(): object;
  configResolved(config: { readonly root: string }): void;
  transform(code: string, id: string): string | undefined;
}

/**
 * Returns a plugin for `vitest.config.ts` that lets vitest import the files of a bot: tests run again when one changes, `vi.mock`
 * applies to what commands import, coverage counts their lines. It also registers the matchers of `virgule/testing`.
 *
 * Without it `createTestBot` imports them with Virgule's own loader, as `virgule dev` does.
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
