import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { BIN, startDev, startDevHere, type Report } from './running-dev.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject, type TestProject } from './test-project.js';
import { until } from './until.js';

const HELLO = { 'commands/hello.ts': answering('hello') };

/** Runs `virgule dev` to its end. */
async function devThatEnds(
  project: TestProject,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [BIN, 'dev', ...args], {
    cwd: project.root,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** The same with the server in this process, which takes half of the CPU time. */
async function devThatEndsHere(
  project: TestProject,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const io = createTestIo({ cwd: project.root, env });
  const code = await run(['dev', ...args], io);
  return { code, out: io.out, err: io.err };
}

async function projectWith(files: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

describe('virgule dev --once', () => {
  it('starts, registers, checks and ends with 0, leaves no state behind, and loads neither the compiler nor the HTTP client in the process of the simulator', async () => {
    const project = await projectWith({
      ...HELLO,
      'loaded.cjs': `
        process.on('exit', () => {
          const folder = /node_modules[\\\\/](?!.*node_modules)((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/;
          const names = Object.keys(require.cache).map((file) =>
            /undici[\\\\/]lib[\\\\/]web/.test(file) ? 'fetch of undici' : folder.exec(file)?.[1]);
          const who = process.channel ? 'child' : 'server';
          require('node:fs').writeFileSync(who + '.json', JSON.stringify([...new Set(names)]));
        });`,
    });
    const { code, out, err } = await devThatEnds(project, ['--once'], {
      NODE_OPTIONS: `--require=${join(project.root, 'loaded.cjs')}`,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/checked in \d+ ms/);
    expect(out).toContain('Demo Bot, 1 command, 0 event handlers');
    expect(out).not.toContain('Playground');
    expect(existsSync(join(project.root, '.virgule'))).toBe(false);
    const loaded: unknown = JSON.parse(readFileSync(join(project.root, 'server.json'), 'utf8'));
    expect(loaded).toContain('ws');
    expect(loaded).not.toContain('esbuild');
    expect(loaded).not.toContain('undici');
    const ofBot: unknown = JSON.parse(readFileSync(join(project.root, 'child.json'), 'utf8'));
    expect(ofBot).toContain('undici');
    expect(ofBot).not.toContain('fetch of undici');
  });

  it('ends with 1 and reports each problem', async () => {
    const project = await projectWith({
      ...HELLO,
      'commands/a.ts': 'export {};',
      'commands/b.ts': '(',
      '.env.staging': 'A=b',
    });
    const { code, out } = await devThatEndsHere(project, ['--once', '--mode', 'staging']);
    expect(code).toBe(1);
    expect(out).not.toContain('.env');
    expect(out).toContain('[E_NO_HANDLER]');
    expect(out).toContain('[E_SYNTAX]');
    expect(out).toContain('2 problems.');
  });

  it('says once that the mode has no file of variables', async () => {
    const project = await projectWith({ ...HELLO, '.env.staging': 'A=b' });
    const { code, out } = await devThatEndsHere(project, ['--once', '--mode', 'stagin']);
    expect(code).toBe(0);
    expect(
      out.split('.env.stagin does not exist: no variables for the mode "stagin".'),
    ).toHaveLength(2);
  });

  it('ends with 1 when the bot does not come up', async () => {
    const project = await projectWith({ 'commands/a.ts': 'process.exit(3);' });
    const { code, out } = await devThatEndsHere(project, ['--once', '--json']);
    expect(code).toBe(1);
    const reports = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Report);
    expect(reports.find(({ type }) => type === 'lost')).toMatchObject({
      v: 1,
      how: 'exit code 3 while loading commands/a.ts',
    });
  });
});

describe('virgule dev, what it remembers', () => {
  it('restores the chat at the next start, and starts empty with --fresh', async () => {
    const project = await projectWith(HELLO);
    const again = async (...args: string[]): Promise<Report> => {
      await using dev = await startDevHere({}, { args: ['--port', '0', ...args], project });
      await dev.say('/hello');
      return dev.ready;
    };
    expect(await again()).not.toHaveProperty('restored');
    const { restored } = (await again()) as unknown as { restored: number };
    expect(restored).toBeGreaterThan(250);
    expect(await again()).toMatchObject({ restored: restored + 1 });
    expect(await again('--fresh')).not.toHaveProperty('restored');
    expect(await again()).toMatchObject({ restored });
  });

  it('refuses a folder in which another one works, and not after that has gone', async () => {
    await using dev = await startDev(HELLO);
    const { code, out, err } = await devThatEndsHere(dev.project, ['--port', '0']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      `[E_STATE_LOCKED] Another \`virgule dev\` (process ${dev.process.pid}) is running in this folder.`,
    );
    // A check next to it is no second one.
    expect((await devThatEndsHere(dev.project, ['--once'])).code).toBe(0);
    dev.process.kill('SIGKILL');
    await once(dev.process, 'exit');
    await using next = await startDevHere({}, { project: dev.project });
    expect(await next.say('/hello')).toBe('hello');
  });

  it('refuses a folder that cannot be written, with one message', async () => {
    const project = await projectWith(HELLO);
    await writeFile(join(project.root, '.virgule'), 'a file stands in its place');
    const { code, err } = await devThatEndsHere(project, ['--port', '0']);
    expect(code).toBe(1);
    expect(err).toContain('[E_STATE_UNWRITABLE] .virgule cannot be written: ');
    expect(err.match(/^Error/gm)).toHaveLength(1);
  });
});

describe('virgule dev, where it listens', () => {
  it('fails on a port that is taken and was asked for, with one message', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const project = await projectWith(HELLO);
    const { code, err } = await devThatEndsHere(project, ['--port', String(port)]);
    expect(code).toBe(1);
    expect(err).toContain(`[E_PORT_BUSY] Port ${port} is already in use.`);
    expect(err.match(/^Error/gm)).toHaveLength(1);
    // Nothing is left behind that would lock the folder.
    expect(existsSync(join(project.root, '.virgule', 'dev.lock'))).toBe(false);
  });

  it('opens the page in the browser with --open', async () => {
    const project = await projectWith(HELLO);
    const browser = join(project.root, 'browser.sh');
    await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > "${project.root}/opened"\n`);
    chmodSync(browser, 0o755);
    await using dev = await startDevHere(
      {},
      { args: ['--port', '0', '--open'], env: { BROWSER: browser }, project },
    );
    const opened = join(project.root, 'opened');
    await until(() => expect(readFileSync(opened, 'utf8')).toBe(dev.ready['page']));
  });
});

describe('virgule dev --live', () => {
  it('runs on the real platform, registers nothing by itself, and answers in the next process what the death of one left open', async () => {
    // A second simulator in place of the real platform.
    await using platform = await startSimulator();
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    await using dev = await startDevHere(
      {
        ...HELLO,
        'commands/die.ts': `export default { description: 'Dies', defer: 'now', run: () => {
          setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);
          return new Promise(() => {});
        } };`,
      },
      { args: ['--live'], env },
    );
    expect(dev.ready).toMatchObject({ live: true, baseUrl: platform.baseUrl, bot: 'Demo Bot' });
    for (const secret of ['token', 'userToken', 'page'])
      expect(dev.ready).not.toHaveProperty(secret);
    expect(await dev.reported('plan')).toMatchObject({ added: ['die', 'hello'], removed: [] });
    await dev.project.write('commands/other.ts', answering('other'));
    await dev.reported('reload');
    expect(await dev.reported('plan')).toMatchObject({ added: ['die', 'hello', 'other'] });
    await dev.project.write('package.json', '{ "name": "other", "type": "module" }');
    await dev.reported('restart');
    expect(platform.counts.requests['commands.replace']).toBe(0);

    const io = createTestIo({ cwd: dev.project.root, env });
    expect(await run(['deploy', '--yes'], io)).toBe(0);
    const answerTo = (id: string) =>
      until(() => {
        const found = platform.messages().find(({ interactionId }) => interactionId === id);
        expect(found).toBeDefined();
        return found?.content;
      });
    expect(await answerTo(platform.run({ rawInput: '/hello' }).id)).toBe('hello');
    const { id } = platform.run({ rawInput: '/die' });
    expect(await answerTo(id)).toBe('The bot is restarting. Please try again in a moment.');
    expect(platform.counts.identifies).toBe(1);
    expect(JSON.stringify(dev.reports)).not.toContain(platform.token);
  });

  it('ends with 1 when the token is refused, with one message', async () => {
    await using platform = await startSimulator();
    const project = await projectWith(HELLO);
    const { code, out, err } = await devThatEndsHere(project, ['--live'], {
      BOT_TOKEN: 'not-the-token',
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.match(/^Error \[(\w+)\]/gm)).toEqual(['Error [E_UNAUTHORIZED]']);
  });

  it.each([
    [['--live'], 'E_TOKEN_MISSING'],
    [['--live', '--port', '0'], 'E_ARGUMENTS'],
    [['--live', '--fresh'], 'E_ARGUMENTS'],
    [['--inspect=abc'], 'E_ARGUMENTS'],
    [['--onse'], 'Did you mean --once?'],
  ])('says what is wrong with %j', async (args, text) => {
    const project = await projectWith(HELLO);
    await mkdir(join(project.root, 'empty'));
    const { code, err } = await devThatEndsHere(project, args);
    expect(code).toBe(1);
    expect(err).toContain(text);
    expect(err.match(/^Try: /gm)).toHaveLength(1);
  });
});
