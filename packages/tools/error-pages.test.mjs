import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorPage, fileOfPage, listErrors } from './error-pages.mjs';
import { repositoryFiles, root } from './repository.mjs';

const errors = listErrors();
const codes = errors.map(({ code }) => code);

const tests = repositoryFiles('packages')
  .filter((file) => /(\.test\.ts|\/test\/.*\.ts)$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

describe('error codes', () => {
  it('are found', () => {
    expect(codes.length).toBeGreaterThan(40);
    expect(codes).toContain('E_TOKEN_MISSING');
  });

  it('are in one table each', () => {
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it.each(codes)('%s is provoked by a test', (code) => {
    // Not toContain: a failure would print every test there is.
    expect(tests.includes(code)).toBe(true);
  });
});

describe('docs/errors', () => {
  it.each(errors)('$code is described above its entry in $file', (error) => {
    const { summary, meaning, example, fix, group } = error;
    expect({ summary, meaning, example, fix, group }).toEqual({
      summary: expect.stringMatching(/\S/),
      meaning: expect.stringMatching(/\S/),
      example: expect.stringContaining(`[${error.code}]`),
      fix: expect.stringMatching(/\S/),
      group: expect.stringMatching(/\S/),
    });
  });

  it.each(errors)(
    'the page of $code is what the table says: run `node packages/tools/write-pages.mjs` when it is not',
    async (error) => {
      await expect(errorPage(error)).toMatchFileSnapshot(join(root, fileOfPage(error.code)));
    },
  );

  it('has no page of another code', () => {
    const pages = readdirSync(join(root, 'docs/errors')).filter((name) => name !== 'index.md');
    const described = codes.map((code) => fileOfPage(code).replace('docs/errors/', ''));
    expect(pages.filter((page) => !described.includes(page))).toEqual([]);
  });
});
