import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { draftFolder, replaceBuild, type BuildFiles } from './replace-build.js';

const NAMES = ['assets', 'map', 'bot'];

/** A folder with an earlier build and a new one. */
function prepare(before: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'virgule-replace-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const output = join(root, 'dist');
  for (const [folder, files] of [
    [output, before],
    [draftFolder(root), next],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      if (name === 'assets') {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'a'), text);
      } else writeFileSync(join(folder, name), text);
    }
  }
  return {
    root,
    replace: (files: BuildFiles = disk) => replaceBuild(root, NAMES, files),
    /** Returns the present files, by name. */
    now: () =>
      Object.fromEntries(
        readdirSync(output).map((name) => [
          name,
          readFileSync(name === 'assets' ? join(output, name, 'a') : join(output, name), 'utf8'),
        ]),
      ),
  };
}

describe('replaceBuild', () => {
  it('puts every part in place, and leaves what is not of a build', async () => {
    const { replace, now, root } = prepare(
      { assets: 'old', map: 'old', bot: 'old', 'notes.txt': 'mine' },
      { assets: 'new', map: 'new', bot: 'new' },
    );
    await replace();
    expect(now()).toEqual({ assets: 'new', map: 'new', bot: 'new', 'notes.txt': 'mine' });
    expect(readdirSync(join(root, '.virgule'))).toEqual(['build']);
  });

  it('takes parts away that the new build does not have', async () => {
    const { replace, now } = prepare({ assets: 'old', bot: 'old' }, { bot: 'new' });
    await replace();
    expect(now()).toEqual({ bot: 'new' });
  });

  it('makes the folder when there was no build before', async () => {
    const { replace, now, root } = prepare({}, { bot: 'new' });
    rmSync(join(root, 'dist'), { recursive: true });
    await replace();
    expect(now()).toEqual({ bot: 'new' });
  });

  it('moves nothing away that is no part of a build', async () => {
    const { replace, now, root } = prepare({ map: 'old' }, { map: 'new', bot: 'new' });
    mkdirSync(join(root, 'dist', 'bot'));
    writeFileSync(join(root, 'dist', 'bot', 'mine'), 'mine');
    await expect(replace()).rejects.toThrow('EISDIR: a folder is in the way');
    expect(readFileSync(join(root, 'dist', 'bot', 'mine'), 'utf8')).toBe('mine');
    rmSync(join(root, 'dist', 'bot'), { recursive: true });
    expect(now()).toEqual({ map: 'old' });
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'brings the earlier build back when step %d fails',
    async (failing) => {
      const before = { assets: 'old', map: 'old', bot: 'old' };
      const { replace, now } = prepare(before, { assets: 'new', map: 'new', bot: 'new' });
      let moves = 0;
      const rename: BuildFiles['rename'] = async (from, to) => {
        moves += 1;
        if (moves === failing) throw new Error('disk trouble');
        await disk.rename(from, to);
      };
      await expect(replace({ ...disk, rename })).rejects.toThrow('disk trouble');
      expect(now()).toEqual(before);
    },
  );

  it.each([3, 6, Infinity])(
    'has no program with parts of both at any time, when step %d fails',
    async (failing) => {
      const before = { assets: 'old', map: 'old', bot: 'old' };
      const next = { assets: 'new', map: 'new', bot: 'new' };
      const { replace, now } = prepare(before, next);
      const seen: Record<string, string>[] = [];
      let moves = 0;
      const rename: BuildFiles['rename'] = async (from, to) => {
        moves += 1;
        if (moves === failing) throw new Error('disk trouble');
        await disk.rename(from, to);
        seen.push(now());
      };
      await replace({ ...disk, rename }).catch(() => {});
      const programs = seen.filter((each) => 'bot' in each);
      expect(programs).toEqual([failing === Infinity ? next : before]);
    },
  );
});
