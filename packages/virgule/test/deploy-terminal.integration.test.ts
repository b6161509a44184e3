import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, createTestProject } from './test-project.js';

const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));
// util-linux: runs a command in a terminal of its own.
const hasScript = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('virgule deploy on a terminal', () => {
  async function open() {
    const platform = await startSimulator();
    const project = await createTestProject({ 'commands/hello.ts': answering('hello') });
    onTestFinished(async () => {
      await platform.close();
      await project[Symbol.asyncDispose]();
    });
    function deploy(env: Readonly<Record<string, string>> = {}) {
      const child = spawn(
        'script',
        ['-qec', `"${process.execPath}" "${BIN}" deploy`, '/dev/null'],
        {
          cwd: project.root,
          env: {
            TERM: 'xterm-256color',
            BOT_TOKEN: platform.token,
            BOT_BASE_URL: platform.baseUrl,
            BOT_GATEWAY_URL: platform.gatewayUrl,
            ...env,
          },
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      child.stdout.on('data', (chunk) => (out += String(chunk)));
      return {
        ended: once(child, 'close').then(([code]) => code as number | null),
        out: () => out,
        async answer(question: string, line: string) {
          await vi.waitFor(() => expect(out).toContain(question), {
            timeout: 60_000,
            interval: 20,
          });
          child.stdin.write(line);
        },
      };
    }
    return { platform, project, deploy };
  }

  it('asks, in color, and does what is answered', async () => {
    const { platform, project, deploy } = await open();
    const first = deploy();
    await first.answer('Apply? [y/N]', 'y\r');
    expect(await first.ended).toBe(0);
    expect(first.out()).toContain('\u001B[32m  + /hello');

    await project.write('commands/new.ts', answering('new'));
    await project.remove('commands/hello.ts');
    const second = deploy({ NO_COLOR: '1' });
    await second.answer('Type the number of deletions (1)', 'y\r');
    expect(await second.ended).toBe(1);
    expect(second.out()).toContain('[E_DEPLOY_REFUSED]');
    expect(second.out()).not.toContain('\u001B[31m');
    expect(platform.snapshot().commands.map(({ name }) => name)).toEqual(['hello']);
  });

  it('ends with 130 at Ctrl+C, and changes nothing', async () => {
    const { platform, deploy } = await open();
    const asked = deploy();
    await asked.answer('Apply? [y/N]', '\u0003');
    expect(await asked.ended).toBe(130);
    expect(platform.snapshot().commands).toEqual([]);
  });
});
