import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/reliability.md', root), 'utf8');

const files = page.split(/^## /m).flatMap((part) => {
  const folder = /relative to `packages\/(\w+)\/`/.exec(part)?.[1] ?? 'client';
  const named = part.matchAll(/`(?:packages\/(\w+)\/)?((?:src|test)\/[\w./-]+\.test\.ts)`/g);
  return [...new Set([...named].map(([, other = folder, file]) => `${other}/${file}`))];
});
const numbers = [...new Set([...page.matchAll(/#(\d\d)/g)].map(([, number]) => number))];

const scenarios = new URL('packages/client/test/faults/', root);
const scenarioTests = readdirSync(scenarios)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, scenarios), 'utf8'))
  .join('\n');

describe('the page about reliability', () => {
  it('names a test for every promise', () => {
    const rows = page.split('\n').filter((line) => /^\| (?!Promise|-)/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) expect(row).toMatch(/\.test\.ts`|#\d\d/);
  });

  it.each(files)('names %s, which exists', (file) => {
    expect(existsSync(new URL(`packages/${file}`, root))).toBe(true);
  });

  it.each(numbers)('names scenario #%s, which has a test', (number) => {
    expect(scenarioTests).toMatch(new RegExp(`['"\`]#${number} `));
  });
});
