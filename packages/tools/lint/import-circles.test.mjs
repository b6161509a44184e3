import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../repository.mjs';

/** The most files that may import each other in a circle. Imports of types count: they tie files together as well. */
const LARGEST_CIRCLE = 5;

/** The pairs of folders of a package that import each other. */
const TWO_WAY_PAIRS = { runtime: 5, virgule: 1 };

/** Returns the files of a package, each with the files of the package that it imports. */
function importsOf(src) {
  const names = readdirSync(src, { recursive: true });
  const files = new Set(
    names
      .filter((name) => /\.tsx?$/.test(name) && !/\.(test|test-d|d)\.tsx?$/.test(name))
      .map((name) => join(src, name)),
  );
  const imports = new Map();
  for (const file of files) {
    const code = readFileSync(file, 'utf8');
    const targets = [...code.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, target]) => {
      const path = resolve(dirname(file), target).replace(/\.jsx?$/, '');
      return [`${path}.ts`, `${path}.tsx`].filter((each) => files.has(each));
    });
    imports.set(file, new Set(targets));
  }
  return imports;
}

/** Returns the circles of files: each file of one reaches all others of it (Tarjan's algorithm). */
function circlesOf(imports) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const circles = [];
  function visit(file) {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const target of imports.get(file)) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file), lowest.get(target)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** Returns the pairs of top-level folders that import each other, such as `load and scan`. */
function twoWayPairs(src, imports) {
  const arrows = new Set();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [file, target].map((path) => relative(src, path).split('/'));
      if (from.length > 1 && to.length > 1 && from[0] !== to[0]) arrows.add(`${from[0]} ${to[0]}`);
    }
  }
  const pairs = [...arrows].map((arrow) => arrow.split(' '));
  return pairs
    .filter(([a, b]) => a < b && arrows.has(`${b} ${a}`))
    .map((pair) => pair.join(' and '));
}

const packages = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'src')),
);

describe.each(packages)('%s', (name) => {
  const src = join(root, 'packages', name, 'src');
  const imports = importsOf(src);

  it(`has no circle of more than ${LARGEST_CIRCLE} files`, () => {
    const large = circlesOf(imports).filter(({ length }) => length > LARGEST_CIRCLE);
    expect(large.map((circle) => circle.map((file) => relative(src, file)))).toEqual([]);
  });

  if (!(name in TWO_WAY_PAIRS)) return;
  it('has few folders that import each other', () => {
    const pairs = twoWayPairs(src, imports);
    expect(pairs.slice(TWO_WAY_PAIRS[name])).toEqual([]);
  });
});
