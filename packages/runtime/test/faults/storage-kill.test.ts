// Kills processes that write to one storage, again and again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { sqlite } from '../../src/storage/sqlite-storage.js';

const KILLS = runs(50);
/** Writes of a process before it is killed. It continues meanwhile. */
const WRITES = 5;

const WRITER = `
import { sqlite } from ${JSON.stringify(fileURLToPath(new URL('../../src/storage/sqlite-storage.ts', import.meta.url)))};
import { systemClock } from '@virgule/core/clock';
const [root, from] = process.argv.slice(2);
const driver = await sqlite().open({ clock: systemClock, log: console, root });
for (let n = Number(from); ; n += 1) {
  await driver.set('k' + String(n).padStart(6, '0'), JSON.stringify({ n, text: 'x'.repeat(n % 5000) }), null);
  const before = await driver.get('count');
  await driver.swap('count', before, String(Number(before ?? 0) + 1), null);
  process.stdout.write(n + '\\n');
}`;

describe('a storage whose process is killed while it writes', () => {
  it(`keeps each acknowledged write, and tears none, ${KILLS} times`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'virgule-kill-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const script = join(
      fileURLToPath(new URL('../..', import.meta.url)),
      'node_modules',
      '.kill.mjs',
    );
    onTestFinished(() => rmSync(script, { force: true }));
    await build({
      stdin: { contents: WRITER, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['virgule-source'],
      packages: 'bundle',
      external: ['libsql'],
      logLevel: 'error',
    });
    let acknowledged = -1;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [script, root, String(acknowledged + 1)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const first = acknowledged;
      let lines = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        lines += text;
        acknowledged = Number(/(\d+)\n[^\n]*$/.exec(lines)?.[1] ?? acknowledged);
        if (acknowledged >= first + WRITES) child.kill('SIGKILL');
      });
      await once(child, 'close');
      expect(acknowledged).toBeGreaterThanOrEqual(first + WRITES);
    }
    const driver = await sqlite().open({ clock: systemClock, log: silentLog, root });
    const entries = await driver.list({ prefix: 'k', limit: 1_000_000 });
    const whole = entries.map(({ value }) => JSON.parse(value) as { n: number; text: string });
    // The last one may have been written without being acknowledged.
    expect(entries.length - 1 - acknowledged).toBeLessThanOrEqual(1);
    expect(entries.length - 1).toBeGreaterThanOrEqual(acknowledged);
    expect(whole.every(({ n, text }, index) => n === index && text.length === n % 5_000)).toBe(
      true,
    );
    expect(Number(await driver.get('count'))).toBeGreaterThanOrEqual(acknowledged + 1);
    await driver.close();
  });
});
