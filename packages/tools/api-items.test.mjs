import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiEntries } from '../../docs/.vitepress/data/api-items.ts';
import { root } from './repository.mjs';

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

it('each function, class and constant has a use in the documentation or a template', () => {
  const below = (folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.(md|ts)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file));
  const readmes = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  const files = ['guide', 'recipes', 'reference', 'migrate', 'tutorial'].flatMap((name) =>
    below(`docs/${name}`),
  );
  const text = [...files, ...below('templates'), ...readmes]
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const words = new Set(text.match(/[\w$]+/g));
  const unused = apiEntries().flatMap(({ entry, items }) =>
    items
      .filter(({ name, kind }) => !['type', 'interface'].includes(kind) && !words.has(name))
      .map(({ name }) => `${entry}: ${name}`),
  );
  expect(unused).toEqual([]);
});
