import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

describe('virgule deploy, where what was deployed cannot be noted', () => {
  it.each([
    [[], 'Roll back with: virgule deploy --from '],
    [['--json'], '"result":"applied"'],
  ])('deploys anyway, and reports it, with %j', async (argv, reported) => {
    await using platform = await startSimulator();
    const project = await createTestProject({ 'commands/hello.ts': answering('hello') });
    onTestFinished(() => project[Symbol.asyncDispose]());
    // It is where the record is written before it replaces the last one.
    await mkdir(join(project.root, '.virgule', `deployed.json.${process.pid}.new`), {
      recursive: true,
    });
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const io = createTestIo({ cwd: project.root, env });
    expect(await run(['deploy', '--yes', ...argv], io)).toBe(0);
    expect(platform.snapshot().commands.map(({ name }) => name)).toEqual(['hello']);
    expect(io.err).toMatch(/^! The deployed commands could not be recorded: .*EISDIR.*\n$/);
    expect(io.out).toContain(reported);
  });
});
