import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './repository.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** Returns the rows of the first table, as objects by the heads of the columns. */
function rowsOf(text) {
  const cells = (line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = '', , ...lines] = text.split('\n').filter((line) => line.startsWith('|'));
  const end = lines.findIndex((line) => cells(line).length !== cells(head).length);
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) =>
      Object.fromEntries(cells(line).map((cell, index) => [cells(head)[index], cell])),
    );
}

describe('README.md', () => {
  it('says of other frameworks what the comparison says, which has the sources', () => {
    const all = rowsOf(read('docs/comparison.md'));
    const rows = rowsOf(readme);
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows)
      expect(all.find(({ feature }) => feature === row.feature)).toMatchObject(row);
  });

  it('leads to files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, path]) => path,
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
