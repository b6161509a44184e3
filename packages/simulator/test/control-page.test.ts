import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PLACE_ROUTES } from '../src/control/places-api.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('docs/reference/control-api.md has the requests that there are', () => {
  const source = read('../src/control/control-api.ts').replaceAll(
    /\bUPLOADS\b(?! =)/g,
    "'/_sim/uploads'",
  );
  const routes = source.matchAll(/route\('([A-Z]+)', '([^']+)'/g);
  const page = read('../../../docs/reference/control-api.md').matchAll(/^\| `([A-Z]+) (\S+)`/gm);
  const named = (rows: Iterable<readonly string[]>): string[] =>
    Array.from(rows, ([, method = '', path = '']) => `${method} ${path}`).toSorted();
  const places = PLACE_ROUTES.map(([method, path]) => ['', method, path]);
  expect(named(page)).toEqual(named([...routes, ...places]));
});
