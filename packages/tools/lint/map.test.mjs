import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, root } from '../repository.mjs';
import { packageNames } from './rules.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');

/** Returns the code spans of a page that look like a file or, with a slash at the end, a folder. */
const namedFiles = (text) => [
  ...new Set([...text.matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.[a-z]+)?)`/g)].map(([, file]) => file)),
];

describe('docs/architecture.md', () => {
  const named = namedFiles(read('docs/architecture.md'));

  it('names files', () => expect(named.length).toBeGreaterThan(60));

  it.each(named)('names %s, which exists', (file) => {
    const isBelowPackages = Object.keys(packageNames).includes(file.split('/')[0]);
    expect(existsSync(join(root, isBelowPackages ? 'packages' : '', file))).toBe(true);
  });

  it.each(Object.keys(packageNames))('shows the package %s', (folder) => {
    expect(read('docs/architecture.md')).toMatch(new RegExp(`\\b${folder}\\b`));
  });
});

/** Names of the packages whose sources import the one in a folder. */
function importersOf(folder) {
  // Not in the examples of comments.
  const imported = new RegExp(`^(?! *\\*).*from '${packageNames[folder]}(/[\\w-]+)?'`, 'm');
  return Object.keys(packageNames).filter(
    (other) =>
      other !== folder &&
      repositoryFiles(`packages/${other}/src`)
        .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file))
        .some((file) => imported.test(read(file))),
  );
}

describe.each(Object.keys(packageNames))('packages/%s/README.md', (folder) => {
  const [, opening = ''] =
    /^# .+\n\n([^]*?)\n\n(?=```|## )/.exec(read(`packages/${folder}/README.md`)) ?? [];

  it('begins with its three most important files, which exist', () => {
    const [, files = ''] = /Most important files: ([^]*?)\.\n/.exec(opening) ?? [];
    const named = namedFiles(files);
    expect(named).toHaveLength(3);
    for (const file of named) expect(existsSync(join(root, 'packages', folder, file))).toBe(true);
  });

  it('begins with the packages that import it', () => {
    const [, importers = ''] = /Imported by: ([^.]*)\./.exec(opening) ?? [];
    const folders = [...importers.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    expect(folders.toSorted()).toEqual(importersOf(folder).toSorted());
  });
});

describe('docs/fault-scenarios.md', () => {
  const page = read('docs/fault-scenarios.md');
  const rows = [...page.matchAll(/^\| #(\d+) .*\| `([\w.-]+)`\s*\|$/gm)];
  const listed = rows.map(([, number]) => number);
  const folder = 'packages/client/test/faults';
  const isNamed = (number, file) =>
    file.startsWith(`${number}-`) ||
    new RegExp(`['"\`]#${number} `).test(read(`${folder}/${file}`));

  it('lists each number once', () => expect(listed).toEqual([...new Set(listed)]));

  it.each(rows.map(([, number, file]) => [number, file]))(
    '#%s has a test in %s',
    (number, file) => {
      expect(isNamed(number, file)).toBe(true);
    },
  );

  const used = Object.keys(packageNames).flatMap((name) =>
    repositoryFiles(`packages/${name}`)
      .filter((file) => /\.test\.tsx?$/.test(file))
      .flatMap((file) => [...read(file).matchAll(/['"`]#(\d+) /g)].map(([, number]) => number)),
  );

  it.each([...new Set(used)])('#%s, which a test names, is listed', (number) => {
    expect(listed).toContain(number);
  });
});
