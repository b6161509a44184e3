import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/reliability.md', root), 'utf8');

const files = [
  ...new Set([...page.matchAll(/`((?:src|test)\/[\w/-]+\.test\.ts)`/g)].map(([, file]) => file)),
];
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
    expect(existsSync(new URL(`packages/client/${file}`, root))).toBe(true);
  });

  it.each(numbers)('names scenario #%s, which has a test', (number) => {
    expect(scenarioTests).toMatch(new RegExp(`['"\`]#${number} `));
  });

  it('states the figures that the bench judges by', () => {
    const targets = readFileSync(new URL('packages/bench/src/rounds/scenarios.ts', root), 'utf8');
    const judged = [...targets.matchAll(/client: \{ rate: (0\.\d+) \}/g)].map(([, rate]) => rate);
    expect(judged).toHaveLength(3);
    for (const rate of judged) expect(page).toContain(rate);
  });
});
