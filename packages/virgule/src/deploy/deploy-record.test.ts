import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRecord, writeRecord } from './deploy-record.js';

function emptyFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'virgule-record-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

describe('the record of what was deployed', () => {
  it('is null before the first deploy', async () => {
    expect(await readRecord(emptyFolder(), 'app')).toBeNull();
  });

  it('holds the last names of each application', async () => {
    const root = emptyFolder();
    await writeRecord(root, 'one', ['b', 'a']);
    await writeRecord(root, 'two', ['c']);
    await writeRecord(root, 'one', ['d']);
    expect(await readRecord(root, 'one')).toEqual(['d']);
    expect(await readRecord(root, 'two')).toEqual(['c']);
    expect(await readRecord(root, 'three')).toBeNull();
    expect(readdirSync(join(root, '.virgule'))).toEqual(['deployed.json']);
  });

  it.each(['{', '{"v":1,"applications":{"app":"a"}}', '{"v":2}'])(
    'is never treated as missing when it is damaged: %s',
    async (text) => {
      const root = emptyFolder();
      mkdirSync(join(root, '.virgule'));
      writeFileSync(join(root, '.virgule', 'deployed.json'), text);
      await expect(readRecord(root, 'app')).rejects.toMatchObject({ code: 'E_DEPLOY_RECORD' });
    },
  );

  it('is never treated as missing when it cannot be read', async () => {
    const root = emptyFolder();
    mkdirSync(join(root, '.virgule', 'deployed.json'), { recursive: true });
    await expect(readRecord(root, 'app')).rejects.toMatchObject({
      code: 'E_DEPLOY_RECORD',
      message: expect.stringContaining('EISDIR'),
    });
  });
});
