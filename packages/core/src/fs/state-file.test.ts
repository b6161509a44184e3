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
  const told: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void told.push(message) };
  return { folder, path, told, file: createStateFile({ path, of: 'the test', log }) };
}

const whole = (state: unknown): unknown => state;

describe('createStateFile', () => {
  it('has nothing at first, and no word of it', () => {
    const { file, told } = open();
    expect(file.read(whole)).toBeUndefined();
    expect(told).toEqual([]);
  });

  it('gives back what was written last, and leaves no half file behind', () => {
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

  it.each(['', '{', 'null'])('goes without %j, and tells it once', (text) => {
    const { file, path, told } = open();
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    const parse = (state: unknown): unknown => {
      if (state === null) throw new TypeError('it is empty');
      return state;
    };
    expect([file.read(parse), file.read(parse)]).toEqual([undefined, undefined]);
    expect(told).toEqual(['the state of the test cannot be read; the bot starts without it']);
  });

  it('goes without on a disk that cannot be written, and tells it once', () => {
    const { file, folder, told } = open();
    // A file stands where the folder would have to be: so it is for root as well.
    writeFileSync(join(folder, 'state'), 'taken');
    file.write({ a: 1 });
    file.write({ a: 2 });
    expect(told).toEqual([
      'the state of the test cannot be written; a restart will not know of it',
    ]);
    expect(readFileSync(join(folder, 'state'), 'utf8')).toBe('taken');
  });
});
