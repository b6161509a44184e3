import { expect, it } from 'vitest';
import { apiEntries } from '../../docs/.vitepress/data/api-items.ts';

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
