import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryPath } from './repository-path.mjs';
import {
  direction,
  directionHeld,
  packageNames,
  sharedFixtures,
  templateImports,
  testFile,
} from './rules.mjs';

/** @type {Map<string, Set<string>>} */
const exportsOf = new Map();

/** Returns the subpaths that a package exports. */
function publicEntries(root, folder) {
  const file = join(root, 'packages', folder, 'package.json');
  if (!exportsOf.has(file)) {
    const { exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
    exportsOf.set(file, new Set(Object.keys(exports)));
  }
  return exportsOf.get(file);
}

/** Splits `@virgule/core/errors` into our folder `core` and the subpath `./errors`. */
function ownPackage(specifier) {
  for (const [folder, name] of Object.entries(packageNames)) {
    if (specifier === name) return { folder, subpath: '.' };
    if (specifier.startsWith(`${name}/`)) {
      return { folder, subpath: `.${specifier.slice(name.length)}` };
    }
  }
  return undefined;
}

/** Returns the problem of a relative import that leaves its package or template. */
function checkRelative(path, specifier) {
  const home = /^(packages|templates)\/[^/]+\//.exec(path)?.[0];
  const target = posix.join(posix.dirname(path), specifier);
  if (home === undefined || `${target}/`.startsWith(home)) return undefined;
  if (testFile.test(path) && sharedFixtures.test(target)) return undefined;
  return `${specifier} leaves ${home} for ${target}: import the package by name`;
}

/** Returns the problem of an import of one of our packages. */
function checkOwn(file, { folder, subpath }, typeOnly) {
  const [, area, from] = /^(packages|templates)\/([^/]+)\//.exec(file.path) ?? [];
  const isTest = testFile.test(file.path);
  if (area === 'templates' && !templateImports.includes(packageNames[folder])) {
    return `a template imports only ${templateImports.join(', ')}`;
  }
  if (area === 'packages' && !(folder === from && isTest)) {
    const rule = direction[from];
    if (rule === undefined) return `packages/${from} is missing in packages/tools/lint/rules.mjs`;
    const allowed = [
      ...rule.source,
      ...(typeOnly ? (rule.types ?? []) : []),
      ...(isTest ? (rule.tests ?? []) : []),
    ];
    if (!allowed.includes(folder) && !allowed.includes(posix.join(folder, subpath))) {
      const may = allowed.length === 0 ? 'none of our packages' : `only ${allowed.join(', ')}`;
      return `packages/${from} may import ${may} here, not ${folder} (packages/tools/lint/rules.mjs)`;
    }
  }
  if (publicEntries(file.root, folder).has(subpath)) return undefined;
  return `${packageNames[folder]} does not export ${subpath}`;
}

/** Returns whether an import has only types. */
function isTypeOnly(node) {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  if (node.type === 'TSImportType') return true;
  const names = node.specifiers ?? [];
  return names.length > 0 && names.every((name) => (name.importKind ?? name.exportKind) === 'type');
}

/** Refuses imports against the direction and past the public entries (`rules.mjs`). */
export const oneDirection = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined || !directionHeld.test(file.path)) return {};
    const check = (node) => {
      const specifier = (node.source ?? node.argument?.literal ?? node.argument)?.value;
      if (typeof specifier !== 'string') return;
      const own = ownPackage(specifier);
      let message;
      if (specifier.startsWith('.')) message = checkRelative(file.path, specifier);
      else if (own !== undefined) message = checkOwn(file, own, isTypeOnly(node));
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
