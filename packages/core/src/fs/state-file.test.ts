import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../log/log.js';
import { createStateFile } from './state-file.js';

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'state', 'x.json');
  const logged: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
  return { folder, path, logged, file: createStateFile({ path, of: 'the test', log }) };
}

const whole = (state: unknown): unknown => state;

describe('createStateFile', () => {
  it('is empty at first, and logs nothing', () => {
    const { file, logged } = open();
    expect(file.read(whole)).toBeUndefined();
    expect(logged).toEqual([]);
  });

  it('returns what was written last, and leaves no partial file', () => {
    const { file, folder } = open();
    file.write({ a: 1 });
    file.write({ a: 2 });
    expect(file.read(whole)).toEqual({ a: 2 });
    expect(readdirSync(join(folder, 'state'))).toEqual(['x.json']);
  });

  it('keeps what another part wrote into the same file', () => {
    const { path, file } = open();
    const other = createStateFile({ path, of: 'another part', log: silentLog });
    file.write({ a: 1 });
    other.write({ b: 2 });
    file.write({ a: 3 });
    expect(other.read(whole)).toEqual({ a: 3, b: 2 });
  });

  // Windows has no such rights.
  it.skipIf(process.platform === 'win32')('is for no other account of the machine', () => {
    const { file, folder, path } = open();
    file.write({ a: 1 });
    const modes = [join(folder, 'state'), path].map((made) => statSync(made).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it.each(['', '{', 'null'])('ignores %j, and logs it once', (text) => {
    const { file, path, logged } = open();
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    const parse = (state: unknown): unknown => {
      if (state === null) throw new TypeError('it is empty');
      return state;
    };
    expect([file.read(parse), file.read(parse)]).toEqual([undefined, undefined]);
    expect(logged).toEqual(['the state of the test cannot be read; the bot starts without it']);
  });

  it('tolerates a disk that cannot be written, and logs it once', () => {
    const { file, folder, logged } = open();
    // A file with the name of the folder: root cannot create it either.
    writeFileSync(join(folder, 'state'), 'taken');
    file.write({ a: 1 });
    file.write({ a: 2 });
    expect(logged).toEqual([
      'the state of the test cannot be written; a restart will not know of it',
    ]);
    expect(readFileSync(join(folder, 'state'), 'utf8')).toBe('taken');
  });
});
