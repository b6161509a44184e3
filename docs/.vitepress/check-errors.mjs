// Every code in a table of errors has a page, and every page has a code.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '..');
const packages = join(docs, '../packages');

const sourceFolders = readdirSync(packages).filter((name) =>
  existsSync(join(packages, name, 'src')),
);

const codes = new Set(
  sourceFolders.flatMap((name) =>
    readdirSync(join(packages, name, 'src'), { recursive: true })
      .filter((file) => file.endsWith('-errors.ts'))
      .flatMap((file) => {
        const source = readFileSync(join(packages, name, 'src', file), 'utf8');
        return [...source.matchAll(/^ {2}(E_[A-Z_]+): (?:\{$|(?:user|bug|call)Error)/gm)].map(
          ([, code]) => code,
        );
      }),
  ),
);
const pages = new Set(
  readdirSync(join(docs, 'errors'))
    .filter((name) => name.startsWith('e_'))
    .map((name) => name.replace(/\.md$/, '').toUpperCase()),
);

const problems = [
  ...[...codes].filter((code) => !pages.has(code)).map((code) => `${code} has no page`),
  ...[...pages].filter((code) => !codes.has(code)).map((code) => `no error has the code ${code}`),
];
if (codes.size === 0) problems.push('no table of errors was found');
for (const problem of problems) console.error(`docs/errors: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
