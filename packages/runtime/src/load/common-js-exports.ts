import type { ModuleExports } from './load-project.js';

/**
 * The exports of a module as its author wrote them. Of a CommonJS file Node.js gives all of
 * `module.exports` as the default export, and some of its properties, and from version 23 on
 * `module.exports` itself, beside it.
 */
export function withoutCommonJs(file: string, exports: ModuleExports): ModuleExports {
  if (!/\.c[jt]s$/.test(file)) return exports;
  const main = exports['default'];
  const isPlain = typeof main === 'object' && main !== null && 'default' in main;
  return isPlain ? { ...main } : { default: main };
}
