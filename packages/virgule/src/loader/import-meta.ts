import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resolver } from './create-resolver.js';
import type { ProjectModule } from './graph-module.js';
import type { HotModules } from './hot-modules.js';

/**
 * Creates the `import.meta` of modules: that of their source files.
 *
 * @param hotModules - those in which modules can register what they have to stop. @defaultValue none
 */
export function createImportMeta(
  resolver: Resolver,
  hotModules?: HotModules,
): (module: ProjectModule) => object {
  return (module) => metaOf(module.file, hotModules && { hot: hotModules.hotOf(module) });

  function metaOf(file: string, more: object | undefined): object {
    return {
      // As in Node.js, without a prototype.
      __proto__: null,
      dirname: path.dirname(file),
      filename: file,
      url: pathToFileURL(file).href,
      resolve: (specifier: unknown) => resolver.toUrl(String(specifier), file),
      ...more,
    };
  }
}
