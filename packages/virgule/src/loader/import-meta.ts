import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resolver } from './create-resolver.js';
import type { ProjectModule } from './graph-module.js';

/** Makes the `import.meta` of a module: that of its source file. */
export function createImportMeta(resolver: Resolver): (module: ProjectModule) => object {
  return ({ file }) => ({
    // As in Node.js, without a prototype.
    __proto__: null,
    dirname: path.dirname(file),
    filename: file,
    url: pathToFileURL(file).href,
    resolve: (specifier: unknown) => resolver.toUrl(String(specifier), file),
  });
}
