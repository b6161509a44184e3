import { describe, expect, it } from 'vitest';
import { rawInputPage } from './raw-input-page.js';
import { rawInputCases } from './samples/raw-input-cases.js';

describe('docs/reference/raw-input.md', () => {
  it('is what the cases say: run `node packages/tools/write-pages.mjs` when it is not', async () => {
    await expect(rawInputPage()).toMatchFileSnapshot('../../../docs/reference/raw-input.md');
  });

  it('writes out 120 cases and more, each in a row of its own', () => {
    expect(rawInputCases.length).toBeGreaterThanOrEqual(120);
    const page = rawInputPage();
    const rows = page.split('\n').filter((line) => line.startsWith('| '));
    for (const { about } of rawInputCases) {
      expect(
        rows.filter((row) => row.startsWith(`| ${about.replace(/[<>*_]/g, String.raw`\$&`)} |`)),
      ).toHaveLength(1);
    }
  });

  it('shows what cannot be seen, and breaks no table', () => {
    const rows = rawInputPage()
      .split('\n')
      .filter((line) => line.startsWith('| '));
    for (const row of rows) {
      expect(row).not.toMatch(/[\t\u00a0\u200f\u3000]/);
      expect([3, 4]).toContain(row.replaceAll(String.raw`\|`, '').split('|').length - 1);
    }
  });
});
