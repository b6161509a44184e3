import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { privateWords, words } from './words.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Everything that is written for people, in Markdown or as text of a template. */
const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'templates/**'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.(md|ts|js|mjs|example|service)$/.test(file))
  // What was released stays as it was written.
  .filter((file) => !file.endsWith('CHANGELOG.md'));

describe('the words of the documentation', () => {
  it.each(pages)('%s uses those of the field', (file) => {
    const lines = readFileSync(new URL(file, `file://${root}`), 'utf8').split('\n');
    const found = lines.flatMap((line, index) =>
      privateWords(line).map(
        ({ found, write }) => `${file}:${index + 1} "${found}": write ${write}`,
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('the list of words', () => {
  it('finds each of them, and not their harmless relatives', () => {
    expect(privateWords('It is told to whoever mends it.')).toHaveLength(3);
    expect(privateWords('The command was sent and logged.')).toEqual([]);
    expect(privateWords('sounds, standard, given, intelligence, besides')).toEqual([]);
  });

  it('says what to write in place of each', () => {
    for (const { write } of words) expect(privateWords(write)).toEqual([]);
  });
});
