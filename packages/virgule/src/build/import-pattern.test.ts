import { describe, expect, it } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { filesOfPattern, readImportPattern } from './import-pattern.js';

describe('readImportPattern', () => {
  it.each([
    ['`./lang/${name}.js`', ['./lang/', '.js']],
    ["'./lang/' + name + '.js'", ['./lang/', '.js']],
    ['"../a/" + (x ? `b${y}` : [1, "+"][0]) + "/c.js"', ['../a/', '/c.js']],
    ['`./a/${{ b: `}${c}` }.b}/${d + "`"}.ts`', ['./a/', '/', '.ts']],
    ['`./it\\`s/${a}`', ['./it`s/', '']],
    ['"./" + a', ['./', '']],
  ])('reads %s', (expression, parts) => {
    expect(readImportPattern(expression)).toEqual(parts);
  });

  it.each(['name', '`${name}.js`', "name + '.js'", '`pkg/${name}`', "'./all/literal.js'", ''])(
    'knows no files for %s',
    (expression) => expect(readImportPattern(expression)).toBeUndefined(),
  );
});

describe('filesOfPattern', () => {
  it('finds files by each specifier that means them in development', async () => {
    await using project = await createTestProject({
      'lang/en.ts': '',
      'lang/fr.ts': '',
      'lang/fr.js': '',
      'lang/view.tsx': '',
      'lang/old/la.mjs': '',
      'lang/data.json': '',
      'lang/types.d.ts': '',
      'lang/en.test.ts': '',
      'lang/.hidden/x.ts': '',
      'lang/node_modules/x/index.js': '',
      'other/en.ts': '',
    });
    const found = (parts: readonly string[]): Record<string, string> =>
      Object.fromEntries(
        [...filesOfPattern(parts, `${project.root}/commands`)].map(([specifier, file]) => [
          specifier,
          file.slice(project.root.length + 1),
        ]),
      );
    expect(found(['../lang/', '.js'])).toEqual({
      '../lang/en.js': 'lang/en.ts',
      '../lang/fr.js': 'lang/fr.js',
      '../lang/view.js': 'lang/view.tsx',
    });
    expect(found(['../lang/', '.ts'])).toEqual({
      '../lang/en.ts': 'lang/en.ts',
      '../lang/fr.ts': 'lang/fr.ts',
    });
    expect(found(['../lang/', '.mjs'])).toEqual({ '../lang/old/la.mjs': 'lang/old/la.mjs' });
    expect(Object.keys(found(['../lang/e', '']))).toEqual([
      '../lang/en.js',
      '../lang/en.ts',
      '../lang/en',
    ]);
    expect(found(['../nowhere/', '.js'])).toEqual({});
  });
});
