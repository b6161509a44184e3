import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeStateFolder, replaceFile, STATE_FILE_MODE, writeStateFile } from './state-folder.js';
import { inheritOwner } from './inherit-owner.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virgule-state-'));
  return () => rmSync(root, { recursive: true, force: true });
});

const modeOf = (...path: string[]): string =>
  (statSync(join(root, ...path)).mode & 0o777).toString(8);

// Windows has no such rights.
describe.skipIf(process.platform === 'win32')('makeStateFolder', () => {
  it('makes folders that no other account may open', () => {
    makeStateFolder(join(root, '.virgule', 'deploys'));
    expect([modeOf('.virgule'), modeOf('.virgule', 'deploys')]).toEqual(['700', '700']);
  });

  it.each([['.virgule'], ['.virgule/deploys']])(
    'takes the rights of others from a folder of state that is there: %s',
    (path) => {
      mkdirSync(join(root, '.virgule', 'deploys'), { recursive: true });
      chmodSync(join(root, '.virgule'), 0o755);
      makeStateFolder(join(root, path));
      expect(modeOf('.virgule')).toBe('700');
    },
  );

  it('leaves every other folder that is there as it is: it may be shared', () => {
    mkdirSync(join(root, 'shared'));
    chmodSync(join(root, 'shared'), 0o777);
    makeStateFolder(join(root, 'shared'));
    symlinkSync('shared', join(root, '.virgule'));
    makeStateFolder(join(root, '.virgule'));
    expect(modeOf('shared')).toBe('777');
  });
});

describe.skipIf(process.platform === 'win32')('writeStateFile', () => {
  it('writes what no other account may read, whatever was there', () => {
    const file = join(root, '.virgule', 'x.json');
    writeStateFile(file, 'first');
    expect(modeOf('.virgule', 'x.json')).toBe('600');
    chmodSync(file, 0o644);
    writeFileSync(`${file}.${process.pid}.new`, 'cut short');
    chmodSync(`${file}.${process.pid}.new`, 0o644);
    writeStateFile(file, 'second');
    expect(modeOf('.virgule', 'x.json')).toBe('600');
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(join(root, '.virgule'))).toEqual(['x.json']);
  });

  it('does not touch what another process is writing', () => {
    const file = join(root, '.virgule', 'x.json');
    mkdirSync(join(root, '.virgule'));
    writeFileSync(`${file}.1.new`, 'half of it');
    writeStateFile(file, 'text');
    expect(readFileSync(`${file}.1.new`, 'utf8')).toBe('half of it');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });

  it('leaves what was there when it fails, and nothing next to it', () => {
    mkdirSync(join(root, '.virgule', 'x.json'), { recursive: true });
    expect(() => writeStateFile(join(root, '.virgule', 'x.json'), 'text')).toThrow('EISDIR');
    expect(readdirSync(join(root, '.virgule'))).toEqual(['x.json']);
    writeFileSync(join(root, 'file'), '');
    expect(() => writeStateFile(join(root, 'file', 'x.json'), 'text')).toThrow(/ENOTDIR|EEXIST/);
  });
});

describe.skipIf(process.getuid?.() !== 0)('root in the folder of another user', () => {
  const ownerOf = (...path: string[]): number => lstatSync(join(root, ...path)).uid;

  it('creates files and folders of this user, and leaves others as they are', () => {
    mkdirSync(join(root, 'shared'));
    chownSync(root, 1_000, 1_001);
    writeStateFile(join(root, '.virgule', 'deploys', 'x.json'), 'text');
    writeStateFile(join(root, 'shared', 'x.json'), 'text');
    const owners = ['.virgule', '.virgule/deploys', '.virgule/deploys/x.json'].map((path) => {
      const { uid, gid } = statSync(join(root, path));
      return [uid, gid];
    });
    expect(owners).toEqual([
      [1_000, 1_001],
      [1_000, 1_001],
      [1_000, 1_001],
    ]);
    expect([ownerOf('shared'), ownerOf('shared', 'x.json')]).toEqual([0, 0]);
  });

  it('changes no file that a link leads to', () => {
    writeFileSync(join(root, 'secret'), '');
    mkdirSync(join(root, 'user'));
    symlinkSync('../secret', join(root, 'user', 'link'));
    chownSync(join(root, 'user'), 1_000, 1_000);
    inheritOwner(join(root, 'user', 'link'));
    expect([ownerOf('secret'), ownerOf('user', 'link')]).toEqual([0, 1_000]);
  });
});

it.skipIf(process.platform === 'win32')(
  'replaceFile() never shows a private file to others',
  () => {
    let written = '';
    const prepare = (next: string): void => void (written = modeOf(basename(next)));
    replaceFile(join(root, 'x.json'), 'text', prepare, STATE_FILE_MODE);
    expect(written).toBe('600');
  },
);
