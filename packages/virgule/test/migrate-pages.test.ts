import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../../docs/migrate/', import.meta.url);
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'index.md');

/** Returns the numbers of files and of lines that are not empty, without the lines that name the files. */
function count(blocks: readonly string[]): { files: number; lines: number } {
  const lines = blocks.flatMap((code) => code.split('\n')).filter((line) => line.trim() !== '');
  return { files: blocks.length, lines: lines.length };
}

/** Returns the whole files of a page: those of the other side, those of Virgule, and its tests. */
function sidesOf(text: string): readonly { files: number; lines: number }[] {
  const blocks = [...text.matchAll(/^```[jt]sx?( \[before\])?\n\/\/ (\S+)\n([^]*?)^```$/gm)];
  const select = (isBefore: boolean, isTest: boolean) =>
    blocks
      .filter(([, before]) => (before !== undefined) === isBefore)
      .filter(([, , file = '']) => file.includes('.test.') === isTest)
      .map(([, , , code = '']) => code);
  return [select(true, false), select(false, false), select(false, true)].map(count);
}

describe('the pages on migrating', () => {
  it('are four', () => {
    expect(pages).toHaveLength(4);
  });

  it('have their lines in the index', () => {
    const index = readFileSync(new URL('index.md', folder), 'utf8');
    const rows = [...index.matchAll(/\]\(\.\/(\S+)\.md\) +\| (\d+) +\| (\d+) +\|$/gm)];
    for (const [, page, before, after] of rows) {
      const [theirs, ours] = sidesOf(readFileSync(new URL(`${page}.md`, folder), 'utf8'));
      expect([page, before, after]).toEqual([page, String(theirs?.lines), String(ours?.lines)]);
    }
    expect(rows).toHaveLength(pages.length);
  });

  it.each(pages)('%s states the number of its lines', (page) => {
    const text = readFileSync(new URL(page, folder), 'utf8');
    const stated = [...text.matchAll(/^\| [^|]+ \| (\d+) +\| (\d+) +\|$/gm)].map(
      ([, files, lines]) => ({ files: Number(files), lines: Number(lines) }),
    );
    expect(stated).toEqual(sidesOf(text));
  });
});
