import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDev, type RunningDev } from './running-dev.js';
import { answering, createTestProject } from './test-project.js';
import { until } from './until.js';

type Files = Readonly<Record<string, string>>;

/** A folder next to that of a project. */
function createFolder(files: Files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-shared-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return { root, write, path: (file: string) => join(root, file) };
}

const reloads = ({ reports }: RunningDev) => reports.filter(({ type }) => type === 'reload');

describe('virgule dev, with code outside of its folder', () => {
  it('reloads a shared file, a workspace package, a linked file and a linked folder, and restarts for CommonJS', async () => {
    const shared = createFolder({
      'words.ts': `export const word: string = 'word';`,
      'package/package.json':
        '{ "name": "@mono/shared", "type": "module", "exports": "./src/index.ts" }',
      'package/src/index.ts': `export { text } from './text.js';`,
      'package/src/text.ts': `export const text: string = 'text';`,
      'linked.ts': `export const linked: string = 'linked';`,
      'commands/far.ts': answering('far'),
      'old/package.json': '{ "name": "@mono/old" }',
      'old/index.js': `exports.old = require('./part').part;`,
      'old/part.js': `exports.part = 'old';`,
    });
    await using project = await createTestProject({});
    const words = relative(join(project.root, 'commands'), shared.path('words.js'));
    await project.write(
      'commands/all.ts',
      `import { word } from '${words}';
       import { text } from '@mono/shared';
       import { linked } from '../lib/linked.js';
       export default { description: 'All', run: (): string => [word, text, linked].join(' ') };`,
    );
    mkdirSync(join(project.root, 'lib'));
    mkdirSync(join(project.root, 'node_modules/@mono'));
    symlinkSync(shared.path('linked.ts'), join(project.root, 'lib/linked.ts'));
    symlinkSync(shared.path('package'), join(project.root, 'node_modules/@mono/shared'));
    symlinkSync(shared.path('commands'), join(project.root, 'commands/group'));
    symlinkSync(shared.path('old'), join(project.root, 'node_modules/@mono/old'));
    await project.write(
      'commands/old.ts',
      `import { old } from '@mono/old'; export default { description: 'Old', run: (): string => old };`,
    );

    await using dev = await startDev({}, { project });
    expect(await dev.say('/all')).toBe('word text linked');
    const changed = async (file: string, text: string): Promise<unknown> => {
      shared.write(file, text);
      return (await dev.reported('reload'))['files'];
    };
    const shown = (file: string) => relative(project.root, shared.path(file));
    expect(await changed('words.ts', `export const word: string = 'word2';`)).toEqual([
      shown('words.ts'),
    ]);
    expect(await changed('package/src/text.ts', `export const text: string = 'text2';`)).toEqual([
      shown('package/src/text.ts'),
    ]);
    expect(await changed('linked.ts', `export const linked: string = 'linked2';`)).toEqual([
      shown('linked.ts'),
    ]);
    expect(await dev.say('/all')).toBe('word2 text2 linked2');
    expect(await dev.identifies()).toBe(1);

    // As `sed -i` saves: another file is written and takes the place of the first.
    shared.write('commands/sedGIoKWU', answering('farther'));
    renameSync(shared.path('commands/sedGIoKWU'), shared.path('commands/far.ts'));
    expect((await dev.reported('reload'))['files']).toEqual(['commands/group/far.ts']);
    shared.write('words.ts', `export const word: string = 'word3';`);
    await dev.reported('reload');
    expect(reloads(dev)).toEqual([]);
    expect(dev.reports.filter(({ type }) => type === 'restart')).toEqual([]);

    // A file that CommonJS requires cannot be swapped.
    expect(await dev.say('/old')).toBe('old');
    shared.write('old/part.js', `exports.part = 'new';`);
    expect(await dev.reported('restart')).toMatchObject({
      reason: expect.stringMatching(/part\.js is loaded by Node\.js itself$/),
    });
    expect(await dev.say('/old')).toBe('new');
  });
});

describe('virgule dev, with 500 files that change at once', () => {
  it('takes them in a few reloads, not in one for each file', async () => {
    const name = (n: number): string => `commands/c${String(n).padStart(3, '0')}.ts`;
    const files = (text: string): Files =>
      Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [name(n), answering(`${text} ${n}`)]),
      );
    await using dev = await startDev(files('first'));
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
      execFileSync('git', [...identity, ...args], { cwd: dev.project.root, stdio: 'pipe' });
    };
    git('init', '--quiet', '--initial-branch=first');
    git('add', 'commands');
    git('commit', '--quiet', '--message=first');
    git('checkout', '--quiet', '-b', 'second');
    for (const [file, text] of Object.entries(files('second')))
      writeFileSync(join(dev.project.root, file), text);
    git('commit', '--quiet', '--all', '--message=second');
    const allSince = (first: number): Promise<void> =>
      until(() => {
        const evaluated = reloads(dev)
          .slice(first)
          .map((report) => Number(report['evaluated']));
        expect(evaluated.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(500);
      });
    await allSince(0);
    const before = reloads(dev).length;
    git('checkout', '--quiet', 'first');
    await allSince(before);
    expect(await dev.say('/c499')).toBe('first 499');
    expect(await dev.say('/c000')).toBe('first 0');
    expect(reloads(dev).length - before).toBeLessThanOrEqual(2);
    expect(dev.reports.filter(({ type }) => type === 'problems')).toEqual([]);
  });
});
