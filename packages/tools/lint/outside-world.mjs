import { repositoryPath } from './repository-path.mjs';
import {
  outsideAllowed,
  outsideHeld,
  outsideModules,
  outsideWorld as forbidden,
} from './rules.mjs';

const globalObjects = new Set(['globalThis', 'global', 'window', 'self']);
const names = new Set(forbidden);
const roots = new Set(forbidden.map((name) => name.replace(/[.(].*$/, '')));
const modules = new Set(outsideModules.flatMap((name) => [name, `node:${name}`]));

/** @param {string} path */
const isHeld = (path) =>
  outsideHeld.test(path) && !outsideAllowed.some((place) => place.test(path));

/** Returns the property name of `x.name` and `x['name']`. */
function propertyName(member) {
  if (!member.computed) return member.property.name;
  return member.property.type === 'Literal' ? String(member.property.value) : undefined;
}

/** Yields every use of a global, including those through a global object: `globalThis.setTimeout`. */
function* globalUses(scopeManager) {
  const { through, variables } = scopeManager.globalScope;
  const undeclared = variables.filter((variable) => variable.defs.length === 0);
  const references = [...through, ...undeclared.flatMap((variable) => variable.references)];
  for (const { identifier } of references) {
    const { name, parent } = identifier;
    if (roots.has(name)) yield { name, node: identifier };
    if (!globalObjects.has(name) || parent.type !== 'MemberExpression') continue;
    const property = propertyName(parent);
    if (parent.object === identifier && roots.has(property)) yield { name: property, node: parent };
  }
}

/** Returns the forbidden names of a use of a global. */
function forbiddenNames({ name, node }) {
  const { parent } = node;
  if (parent.type.startsWith('TS') && parent.type !== 'TSNonNullExpression') {
    if (parent.type === 'TSTypeQuery' || parent.type === 'TSQualifiedName') return [];
  }
  if (names.has(name)) return [name];
  if (parent.type === 'MemberExpression' && parent.object === node) {
    return [`${name}.${propertyName(parent)}`].filter((found) => names.has(found));
  }
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') {
    const keys = parent.id.properties.map((property) => `${name}.${property.key?.name}`);
    return keys.filter((found) => names.has(found));
  }
  const called = parent.callee === node && parent.arguments.length === 0;
  return called && names.has(`${name}()`) ? [`${name}()`] : [];
}

/** Refuses access to time, randomness, environment, process and terminal: they are arguments (`rules.mjs`). */
export const outsideWorld = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = repositoryPath(context.filename);
    if (file === undefined || !isHeld(file.path)) return {};
    const report = (node, name) =>
      context.report({
        node,
        message: `${name} accesses the outside world: pass it as an argument (a clock, random, env, stdout); exceptions are in packages/tools/lint/rules.mjs`,
      });
    const checkSource = (node) => {
      if (modules.has(node.source?.value) && node.importKind !== 'type') {
        report(node, node.source.value);
      }
    };
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ImportExpression: checkSource,
      'Program:exit'() {
        for (const use of globalUses(context.sourceCode.scopeManager)) {
          for (const name of forbiddenNames(use)) report(use.node, name);
        }
      },
    };
  },
};
