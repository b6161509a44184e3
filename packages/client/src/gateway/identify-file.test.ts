import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStateFile } from '@virgule/core/fs';
import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdentifyLimiter, createIdentifyTimes } from './identify-limiter.js';

const NOW_MS = 1_800_000_000_000;

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-identify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logged: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) };
  const open = (path: string, perDay = 500) => {
    const file = createStateFile({ path, of: 'the gateway', log });
    const times = createIdentifyTimes(file);
    return createIdentifyLimiter({ perMinute: 2, perDay }, { now: () => NOW_MS }, times);
  };
  return { folder, path: join(folder, 'gateway.json'), logged, open };
}

describe('createIdentifyLimiter with a file', () => {
  it('continues where the run before ended', () => {
    const { path, open, logged } = openFolder();
    const first = open(path);
    for (let n = 0; n < 2; n += 1) {
      expect(open(path).wait()).toBeUndefined();
      first.spend();
    }
    expect(open(path).wait()).toMatchObject({ delayMs: 60_000 });
    expect(logged).toEqual([]);
  });

  it('keeps the file small', () => {
    const { path, open } = openFolder();
    const identifiedAtMs = Array.from({ length: 2_000 }, (_, n) => NOW_MS - 2_000 + n);
    writeFileSync(path, JSON.stringify({ identifiedAtMs }));
    open(path).spend();
    expect(statSync(path).size).toBeLessThan(8_000);
  });

  it.each([
    ['', []],
    ['{', []],
    ['null', []],
    ['{"identifiedAtMs":7}', []],
    [`{"identifiedAtMs":[${NOW_MS - 1},"x",null,${NOW_MS - 3}]}`, [NOW_MS - 3, NOW_MS - 1]],
  ])('reads %j as %j', (text, expected) => {
    const { path, open } = openFolder();
    writeFileSync(path, text);
    open(path).spend();
    const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
    expect(written).toEqual({ identifiedAtMs: [...expected, NOW_MS] });
  });

  it('continues without a disk that cannot be written, and reports it once', () => {
    // A file is where the folder would have to be, which fails for root as well.
    const { folder, open, logged } = openFolder();
    writeFileSync(join(folder, 'taken'), '');
    const limiter = open(join(folder, 'taken', 'gateway.json'));
    for (let n = 0; n < 2; n += 1) limiter.spend();
    expect(limiter.wait()).toMatchObject({ delayMs: 60_000 });
    expect(logged).toHaveLength(1);
  });
});
