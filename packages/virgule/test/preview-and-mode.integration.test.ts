import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { requestAction } from '../src/sim/sim-client.js';
import { soon } from './built-bot.js';
import { createTestIo, type TestIo } from './test-io.js';
import { createTestProject, type TestProject } from './test-project.js';

/** Starts a command that runs until it is interrupted. */
function begin(project: TestProject, argv: readonly string[], env: TestIo['env'] = {}) {
  const io = createTestIo({ cwd: project.root, env, columns: 100 });
  const ended = run(argv, io);
  return {
    io,
    async stop() {
      io.stop();
      return ended;
    },
    ended,
  };
}

describe('a built bot', () => {
  let project: TestProject;
  let staging: Simulator;
  beforeAll(async () => {
    staging = await startSimulator();
    project = await createTestProject({
      'commands/where.ts': `
        export default { description: 'Where', run: () => 'here' };
        console.log('printed by the bot');`,
    });
    await project.write('.env.staging', `BOT_TOKEN=${staging.token}\nPLACE=staging\n`);
    await project.write(
      'virgule.config.ts',
      `export default {
         baseUrl: 'http://127.0.0.1:1',
         gatewayUrl: 'ws://127.0.0.1:1',
         targets: { staging: { baseUrl: '${staging.baseUrl}', gatewayUrl: '${staging.gatewayUrl}' } },
       };`,
    );
    const io = createTestIo({ cwd: project.root });
    if ((await run(['build', '--no-types'], io)) !== 0) throw new Error(io.err);
  });
  beforeEach(async () => {
    // As if no test had run before.
    await fetch(`${staging.baseUrl}/api/bot/v1/commands`, {
      method: 'PUT',
      headers: { authorization: `Bot ${staging.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ commands: [] }),
    });
    await soon(() => {
      const { commands, bot } = staging.snapshot();
      if (commands.length > 0 || bot.connected) throw new Error('the bot of the last test runs');
    });
  });
  afterAll(async () => {
    await staging.close();
    await project[Symbol.asyncDispose]();
  });

  it('runs on the simulator with its page: virgule start --preview', async () => {
    const preview = begin(project, ['start', '--preview']);
    await soon(() => expect(preview.io.out).toContain('is ready'));
    const page = /Page +(\S+)/.exec(preview.io.out)?.[1] ?? '';
    const answer = await fetch(page);
    expect(await answer.text()).toContain('<!doctype html>');
    const world = await requestAction(new URL(page).origin, 'world', {});
    expect(world).toMatchObject({ commands: [{ name: 'where' }], bot: { connected: true } });
    // The log is for people, and what the bot prints is shown as it is.
    expect(preview.io.out).toMatch(/^\d\d:\d\d:\d\d ▸ .*is ready/m);
    expect(preview.io.out).toMatch(/^printed by the bot$/m);
    expect(await preview.stop()).toBe(0);
  });

  it('passes on the exit code of a bot that fails', async () => {
    const preview = begin(project, ['start', '--preview', '--mode', 'stagin']);
    expect(await preview.ended).toBe(78);
  });

  it('refuses a preview on a platform that is no simulator of this machine', () => {
    const { status, stderr } = spawnSync(process.execPath, ['dist/bot.mjs', '--preview'], {
      cwd: project.root,
      encoding: 'utf8',
      env: {
        BOT_TOKEN: 'a-token-of-production',
        BOT_BASE_URL: 'https://chat.example.com',
        BOT_GATEWAY_URL: 'wss://chat.example.com',
      },
    });
    expect({ status, stderr }).toEqual({
      status: 78,
      stderr: expect.stringContaining('--preview is for a simulator'),
    });
  });

  it('connects to the target of the mode: virgule start --mode', async () => {
    const started = begin(project, ['start', '--mode', 'staging', '--sync']);
    await soon(() => expect(staging.snapshot().bot.connected).toBe(true));
    expect(staging.snapshot().commands.map(({ name }) => name)).toEqual(['where']);
    expect(await started.stop()).toBe(0);
  });

  it('registers there: virgule deploy --mode', async () => {
    const io = createTestIo({ cwd: project.root });
    const code = await run(['deploy', '--yes', '--mode', 'staging'], io);
    expect({ code, err: io.err }).toEqual({ code: 0, err: '' });
    expect(staging.snapshot().commands.map(({ name }) => name)).toEqual(['where']);
    const [, saved] =
      /Roll back with: virgule deploy --mode staging --from (\S+)\n$/.exec(io.out) ?? [];
    // On another machine, the file of the set is enough.
    const file = join(project.root, '.virgule', 'deploys', `${saved}.json`);
    await rename(file, join(project.root, 'before.json'));
    const back = createTestIo({ cwd: project.root });
    const argv = ['deploy', '--mode', 'staging', '--from', 'before.json'];
    expect(await run([...argv, '--yes', '--allow-delete', '--allow-empty'], back)).toBe(0);
    expect(staging.snapshot().commands).toEqual([]);
  });

  it('refuses a mode that is misspelled', async () => {
    const io = createTestIo({ cwd: project.root, env: { BOT_TOKEN: 't' } });
    expect(await run(['deploy', '--mode', 'stagin'], io)).toBe(1);
    expect(io.err).toContain('[E_MODE_UNKNOWN] There is no mode "stagin"');
    expect(io.err).toContain('Did you mean "staging"?');
  });

  it('says at the start that the sources are newer', async () => {
    await project.write('commands/new.ts', `export default { description: 'N', run: () => 'n' };`);
    const started = begin(project, ['start', '--mode', 'staging']);
    await soon(() => expect(staging.snapshot().bot.connected).toBe(true));
    expect(started.io.err).toContain(
      '! dist/manifest.json is older than the sources: commands/new.ts was added since the build. Run `virgule build` to update it.',
    );
    expect(await started.stop()).toBe(0);
    await project.remove('commands/new.ts');
  });
});

describe('virgule start --preview', () => {
  it('needs a build', async () => {
    await using empty = await createTestProject({});
    const io = createTestIo({ cwd: empty.root });
    expect(await run(['start', '--preview'], io)).toBe(78);
    expect(io.err).toContain('[E_BUILD_UNUSABLE]');
  });
});
