import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { privateWords, words } from './words.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Markdown files and templates. */
const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'templates/**'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /(\.(md|ts|js|mjs|json|example|service)|Dockerfile)$/.test(file))
  // Released entries are not changed.
  .filter((file) => !file.endsWith('CHANGELOG.md'));

/**
 * Pages with blocks of output that the code still prints with these words. Update the block and remove
 * the page here when the message in the code changes.
 *
 * @type {readonly string[]}
 */
const QUOTING = [];

/** Blocks of output: the words in them are those of the code, where `plain-words.mjs` checks them. */
const OUTPUT = /^```text$[^]*?^```$/gm;

/** Returns the lines of a page with their numbers; names of the code, in backticks, are removed. */
function linesOf(file, text) {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  if (!file.endsWith('.md')) return lines;
  return lines.map(({ line, number }) => ({ line: line.replaceAll(/`[^`]*`/g, '``'), number }));
}

const read = (file) => readFileSync(new URL(file, `file://${root}`), 'utf8');

describe('the words of the documentation', () => {
  it.each(pages)('%s uses those of the field', (file) => {
    // The same number of lines, so that the reported ones can be found.
    const text = read(file).replaceAll(OUTPUT, (block) => block.replaceAll(/[^\n]/g, ''));
    const found = linesOf(file, text).flatMap(({ line, number }) =>
      privateWords(line).map(({ found, write }) => `${file}:${number} "${found}": write ${write}`),
    );
    expect(found).toEqual([]);
  });

  it('is quoted only by the pages that are known to quote it', () => {
    const quoting = pages.filter((file) =>
      (read(file).match(OUTPUT) ?? []).some((block) => privateWords(block).length > 0),
    );
    expect(quoting).toEqual(QUOTING);
  });
});

describe('the list of words', () => {
  it('finds each of them, and not their harmless relatives', () => {
    expect(privateWords('It is told to whoever mends it.')).toHaveLength(3);
    expect(privateWords('It goes on for ever.')).toHaveLength(2);
    expect(privateWords('The behaviour is strange.')).toHaveLength(2);
    expect(privateWords('The command was sent and logged.')).toEqual([]);
    expect(privateWords('sounds, standard, given, intelligence, besides')).toEqual([]);
    expect(privateWords('It gives up after five retries; the colors are understood.')).toEqual([]);
    expect(privateWords('One pass over the rows, forever, going once.')).toEqual([]);
  });

  it('says what to write in place of each', () => {
    for (const { write } of words) expect(privateWords(write)).toEqual([]);
  });
});
