import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@virgule/core/log';
import { onTestFinished } from 'vitest';
import { describeStorageDriver } from '../../test/conformance/storage-driver.js';
import { memory } from './memory-storage.js';
import { sqlite } from './sqlite-storage.js';

for (const setting of [
  memory(),
  sqlite(),
  sqlite({ file: 'data/x.db', survives: 'power-failure' }),
]) {
  describeStorageDriver(setting.name, async (clock) => {
    const root = mkdtempSync(join(tmpdir(), 'virgule-storage-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const driver = await setting.open({ clock, log: silentLog, root });
    return { driver, pass: (ms) => clock.advance(ms) };
  });
}
