import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBenchArguments } from '../src/rounds/read-bench-arguments.js';
import { SCENARIOS } from '../src/rounds/scenarios.js';

const read = (file: string) =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

const page = read('docs/reference/performance.md');
const readme = read('packages/bench/README.md');

describe('the page about performance', () => {
  it.each(SCENARIOS)('has the table of "$title"', ({ title }) => {
    expect(page).toContain(`### ${title} `);
  });

  it('shows commands that the bench takes', () => {
    const shown = [...page.matchAll(/bench -- (--.+?) (?=[#>n`])/g)].map(
      ([, words]) => words ?? '',
    );
    expect(shown.length).toBeGreaterThan(3);
    for (const words of shown) {
      expect(() => readBenchArguments(words.trim().split(' '))).not.toThrow();
    }
  });
});

describe('the README of the bench', () => {
  it('describes each scenario of --only', () => {
    const words = [...readme.matchAll(/\| `([a-z][a-z-]*)` \|/g)].map(([, word]) => word);
    expect(words).toEqual(SCENARIOS.map(({ id }) => id));
  });
});
