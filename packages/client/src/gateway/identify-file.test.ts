import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdentifyFile } from './identify-limiter.js';

function open(
  path: (folder: string) => string = (folder) => join(folder, 'state', 'gateway.json'),
) {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-identify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logged: string[] = [];
  const file = path(folder);
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
  return { folder, file, logged, store: createIdentifyFile(file, log), log };
}

describe('createIdentifyFile', () => {
  it('starts empty, and returns what was saved', () => {
    const { store, file, logged, log } = open();
    expect(store.load()).toEqual([]);
    store.save([1, 2, 3]);
    store.save([2, 3, 4]);
    expect(createIdentifyFile(file, log).load()).toEqual([2, 3, 4]);
    expect(logged).toEqual([]);
  });

  it('leaves no half file and nothing else behind', () => {
    const { store, folder } = open();
    store.save([1]);
    expect(readdirSync(join(folder, 'state'))).toEqual(['gateway.json']);
  });

  it('stays small', () => {
    const { store, file } = open();
    store.save(Array.from({ length: 501 }, (_, n) => 1_800_000_000_000 + n));
    expect(statSync(file).size).toBeLessThan(8_000);
  });

  it.each([
    ['', []],
    ['{', []],
    ['null', []],
    ['{"identifiedAtMs":7}', []],
    ['{"identifiedAtMs":[3,"x",null,1]}', [1, 3]],
  ])('reads %j as %j', (text, expected) => {
    const { file, log } = open((folder) => join(folder, 'x.json'));
    writeFileSync(file, text);
    expect(createIdentifyFile(file, log).load()).toEqual(expected);
  });

  it('continues without a disk that cannot be written, and reports it once', () => {
    // A file is where the folder would have to be, which fails for root as well.
    const { folder, log, logged } = open();
    writeFileSync(join(folder, 'taken'), '');
    const store = createIdentifyFile(join(folder, 'taken', 'gateway.json'), log);
    expect(store.load()).toEqual([]);
    store.save([1]);
    store.save([2]);
    expect(logged).toHaveLength(1);
  });
});
