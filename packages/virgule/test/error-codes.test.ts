import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

function filesBelow(folder: string, wanted: RegExp): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => wanted.test(file) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(file))
    .map((file) => join(REPOSITORY, folder, file));
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** The codes of every table: the keys of the objects that are given to `defineErrors`. */
const codes = filesBelow('packages', /-errors\.ts$/).flatMap((file) =>
  [...read(file).matchAll(/^ {2}(E_[A-Z_]+): (?:\{$|(?:user|bug|call)Error)/gm)].map(
    (match) => match[1] ?? '',
  ),
);
const pages = filesBelow('docs/errors', /^e_\w+\.md$/).map((file) =>
  file.replace(/^.*[\\/]|\.md$/g, ''),
);
const tests = filesBelow('packages', /(\.test\.ts|[\\/]test[\\/].*\.ts)$/)
  .filter((file) => !file.endsWith('error-codes.test.ts'))
  .map(read)
  .join('\n');

describe('error codes', () => {
  it('are found', () => {
    expect(codes.length).toBeGreaterThan(40);
    expect(codes).toContain('E_TOKEN_MISSING');
  });

  it('are in one table each', () => {
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it.each(codes)('%s has a page', (code) => {
    expect(pages).toContain(code.toLowerCase());
  });

  it.each(codes)('%s is provoked by a test', (code) => {
    // Not toContain: a failure would print every test there is.
    expect(tests.includes(code)).toBe(true);
  });

  it.each(pages)('the page %s is about a code that exists', (page) => {
    expect(codes).toContain(page.toUpperCase());
    const text = read(join(REPOSITORY, 'docs', 'errors', `${page}.md`));
    expect(text).toContain(page.toUpperCase());
  });
});
