import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiEntries } from '../../docs/.vitepress/data/api-items.ts';
import { find, sourceOf } from './declarations.mjs';
import { repositoryFiles, root } from './repository.mjs';

it('the page of the API describes everything that people import', () => {
  const entries = apiEntries();
  const missing = entries.flatMap(({ entry, items }) =>
    items
      .filter(({ kind, summary }) => kind === '' || summary === '')
      .map(({ name }) => `${entry}: ${name} has no TSDoc`),
  );
  expect(missing).toEqual([]);
  const counts = Object.fromEntries(entries.map(({ entry, items }) => [entry, items.length]));
  expect(counts['virgule']).toBeGreaterThan(100);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  const named = Object.fromEntries(entries[0].items.map(({ name, ...item }) => [name, item]));
  expect(named['defineTask']).toMatchObject({ kind: 'function' });
  // Followed through two packages.
  expect(named['isRateLimited'].summary).toMatch(/\w{3}/);
});

it('people import at most 400 names, the same name in several entries counted once', () => {
  const names = apiEntries().flatMap(({ items }) => items.map(({ name }) => name));
  expect(new Set(names).size).toBeLessThanOrEqual(400);
});

/** Returns the words of the documentation and of the templates. */
function documentedWords() {
  const below = (folder) => repositoryFiles(folder).filter((file) => /\.(md|ts)$/.test(file));
  const pages = ['guide', 'recipes', 'reference', 'migrate', 'tutorial'];
  const files = [
    ...pages.flatMap((name) => below(`docs/${name}`)),
    ...below('templates'),
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
  ];
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return new Set(text.match(/[\w$]+/g));
}

/** Returns the declarations that the given ones name, themselves included. */
function namedBy(declarations) {
  const waiting = [...declarations];
  const keys = new Set();
  for (const found of waiting) {
    const key = `${found.file} ${found.name}`;
    if (keys.has(key)) continue;
    keys.add(key);
    for (const word of new Set(found.code.match(/[\w$]+/g)))
      waiting.push(...[find(found.file, word)].filter((each) => each !== undefined));
  }
  return keys;
}

it('each name has a use in the documentation or a template; a type may be named by such a name', () => {
  const words = documentedWords();
  const unused = apiEntries().flatMap(({ entry, items }) => {
    const all = items.map(({ name, kind }) => ({ kind, ...find(sourceOf(entry), name) }));
    const isUsed = ({ name, augmented }) =>
      words.has(name) || new RegExp(String.raw`\b${name}\b`).test(augmented);
    const named = namedBy(all.filter(isUsed));
    return all
      .filter((each) => !isUsed(each))
      .filter(
        ({ kind, file, name }) => !/type|interface/.test(kind) || !named.has(`${file} ${name}`),
      )
      .map(({ name }) => `${entry}: ${name}`);
  });
  expect(unused).toEqual([]);
});
