import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../src/clock/system-clock.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
let folder = '';

/** Runs a program with `systemClock` until it exits; resolves with its output. */
async function output(program: string): Promise<string> {
  const address = JSON.stringify(pathToFileURL(join(folder, 'clock/system-clock.js')).href);
  const script = `import { systemClock } from ${address};\n${program}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 60_000,
  });
  return stdout;
}

// The sources may not be built when tests run, so the clock is compiled here.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'virgule-clock-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const source = new URL('../src/clock/system-clock.ts', import.meta.url);
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  await run(process.execPath, [
    join(compiler, '../lib/tsc.js'),
    '--ignoreConfig',
    '--noCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--rootDir',
    fileURLToPath(new URL('../src', import.meta.url)),
    '--outDir',
    folder,
    fileURLToPath(source),
  ]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a process that uses systemClock', () => {
  it('exits while a timer is pending', async () => {
    const program = `
      systemClock.setTimeout(() => console.log('fired'), 60_000);
      process.on('exit', () => console.log('ended'));`;
    expect(await output(program)).toBe('ended\n');
  });

  it('stays alive during a sleep, and timers fire meanwhile', async () => {
    const program = `
      systemClock.setTimeout(() => console.log('fired'), 1);
      await systemClock.sleep(50);
      console.log('slept');`;
    expect(await output(program)).toBe('fired\nslept\n');
  });

  it('exits when its sleep is aborted', async () => {
    const program = `
      const controller = new AbortController();
      const slept = systemClock.sleep(60_000, { signal: controller.signal });
      controller.abort('stopped');
      await slept.catch((reason) => console.log(reason));`;
    expect(await output(program)).toBe('stopped\n');
  });

  it('reads a monotonic clock that this process can compare with its own', async () => {
    const before = systemClock.monotonic();
    const reading = Number(await output('console.log(systemClock.monotonic());'));
    expect(reading).toBeGreaterThan(before);
    expect(reading).toBeLessThan(systemClock.monotonic());
  });
});
