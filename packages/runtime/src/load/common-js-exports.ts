import { isObject } from '@virgule/core/objects';
import type { ModuleExports } from './load-project.js';

/**
 * Returns the exports of a module as its author wrote them. For a CommonJS file, Node.js passes all of
 * `module.exports` as the default export, along with some of its properties and, from version 23 on,
 * `module.exports` itself.
 */
export function withoutCommonJs(file: string, exports: ModuleExports): ModuleExports {
  if (!/\.c[jt]s$/.test(file)) return exports;
  const main = exports['default'];
  const isPlain = isObject(main) && 'default' in main;
  return isPlain ? { ...main } : { default: main };
}
