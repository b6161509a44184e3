import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo, type TestIoOptions } from './test-io.js';
import {
  answering,
  createStubProject,
  createTestProject,
  type TestProject,
} from './test-project.js';
import { until } from './until.js';

async function projectWith(files: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

/** Runs a command in a folder with these files. */
async function start(
  files: Readonly<Record<string, string>>,
  argv: readonly string[],
  options: Partial<TestIoOptions> = {},
) {
  const project = await projectWith(files);
  const io = createTestIo({ cwd: project.root, ...options });
  return { io, project, ended: run(argv, io) };
}

/** The same, with a stub of `virgule`: for builds whose bot is not run. */
async function startStub(files: Readonly<Record<string, string>>, argv: readonly string[]) {
  const project = await createStubProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const io = createTestIo({ cwd: project.root });
  return { io, project, ended: run(argv, io) };
}

const HELLO = { 'commands/hello.ts': answering('hello') };
/** Never comes to the end of its loading. */
const ENDLESS = { 'commands/hello.ts': 'await new Promise(() => {});' };
/** An address without a server, for tests in which nothing may be called. */
const NOWHERE = {
  BOT_TOKEN: 'a-secret-token',
  BOT_BASE_URL: 'http://127.0.0.1:1',
  BOT_GATEWAY_URL: 'ws://127.0.0.1:1',
};
const envOf = (platform: Simulator) => ({
  BOT_TOKEN: platform.token,
  BOT_BASE_URL: platform.baseUrl,
  BOT_GATEWAY_URL: platform.gatewayUrl,
});

describe('virgule simulator', () => {
  it('prints what a bot needs, runs until it receives a signal, and frees its port', async () => {
    const { io, ended } = await start({}, ['simulator', '--port', '0']);
    await until(() => expect(io.out).toContain('Ctrl+C stops it.'));
    const [page = ''] = /http:\S+/.exec(io.out) ?? [];
    expect(io.out).toMatch(/^ {2}BOT_TOKEN=\S+$/m);
    expect(io.out).toMatch(/^ {2}BOT_BASE_URL=http:\S+[^/]$/m);
    expect(io.out).toMatch(/^ {2}BOT_GATEWAY_URL=ws:\S+$/m);
    expect((await fetch(new URL('/_sim/state', page))).status).toBe(200);
    io.stop('SIGINT');
    expect(await ended).toBe(0);
    expect(io.err).toBe('');
    await expect(fetch(page)).rejects.toThrow('fetch failed');
  });

  it('prints the addresses and tokens as one JSON object', async () => {
    const argv = ['simulator', '--port', '0', '--json', '--bots', 'music, quiz'];
    const { io, ended } = await start({}, argv);
    await until(() => expect(io.out).toMatch(/\n$/));
    const first = JSON.parse(io.out) as Record<string, unknown>;
    expect(Object.keys(first)).toEqual([
      'page',
      'baseUrl',
      'gatewayUrl',
      'token',
      'tokens',
      'userToken',
    ]);
    const read = async (path: string, token = '') => {
      const headers = { authorization: `Bot ${token}` };
      const response = await fetch(
        `${String(first['baseUrl'])}${path}`,
        path.includes('_sim') ? {} : { headers },
      );
      return response.text();
    };
    expect(await read('/_sim/state')).toContain('"identifies":0');
    expect(Object.keys(Object(first['tokens']))).toEqual(['demo-bot', 'music', 'quiz']);
    for (const [username, token] of Object.entries(Object(first['tokens'])))
      expect(await read('/api/bot/v1/users/@me', String(token))).toContain(`"${username}"`);
    io.stop();
    expect(await ended).toBe(0);
  });

  it.each<[argv: readonly string[], reason: RegExp]>([
    [['--bots', 'a b'], /E_SIM_REFUSED.*1 to 32 letters/s],
    [['--faults', '/nothing.json'], /ENOENT/],
  ])('ends with 1 and the reason for %j', async (argv, reason) => {
    const { io, ended } = await start({}, ['simulator', '--port', '0', ...argv]);
    expect(await ended).toBe(1);
    expect(io.err).toMatch(reason);
  });

  it('exits when it received a signal before it had begun', async () => {
    const io = createTestIo({ cwd: '/' });
    io.stop();
    expect(await run(['simulator', '--port', '0'], io)).toBe(0);
  });
});

describe('virgule run, cut short', () => {
  it('ends with 130 at Ctrl+C while a command is running, and prints no error', async () => {
    const { io, project, ended } = await start(
      {
        'commands/long.ts': `
          import { writeFileSync } from 'node:fs';
          export default { description: 'L', async run() {
            writeFileSync(new URL('../begun', import.meta.url), '');
            await new Promise(() => {});
          } };`,
      },
      ['run', '/long'],
    );
    await until(() => access(join(project.root, 'begun')));
    io.stop('SIGINT');
    expect(await ended).toBe(130);
    expect(io.out).toBe('');
    // The log has one line about the end of the handler.
    expect(io.err).toMatch(/^\S+ ✗ \/long failed: The bot shut down/);
    expect(io.err).not.toContain('Error');
  });

  it.each([[['run', '/hello']], [['build']], [['deploy', '--yes']]])(
    'ends %j with 130 at Ctrl+C while a module never finishes loading',
    async (argv) => {
      const { io, ended } = await start(ENDLESS, argv, { env: NOWHERE });
      io.stop('SIGINT');
      expect(await ended).toBe(130);
      expect({ out: io.out, err: io.err }).toEqual({ out: '', err: '' });
    },
  );
});

describe('virgule run, with other settings', () => {
  it('refuses a log level that is none, before it starts anything', async () => {
    const { io, ended } = await start(HELLO, ['run', '/hello'], { env: { LOG_LEVEL: 'loud' } });
    expect(await ended).toBe(1);
    expect(io.err).toContain('[E_ENV_INVALID]');
  });

  it('writes log lines to stderr, not into the answer', async () => {
    const { io, ended } = await start(HELLO, ['run', '/hello'], { env: { LOG_LEVEL: 'info' } });
    expect(await ended).toBe(0);
    expect(io.out).toBe('hello\n');
    expect(io.err).toContain('▸ /hello answered');
    expect(io.err).not.toContain('{"level"');
  });

  it('prints the outcome as JSON and the error to stderr when nothing was answered', async () => {
    const { io, ended } = await start(
      {
        'commands/mute.ts': `export default { description: 'M', defer: 'never', run: () => new Promise(() => {}) };`,
      },
      ['run', '/mute', '--json'],
    );
    expect(await ended).toBe(1);
    expect(JSON.parse(io.out)).toMatchObject({
      v: 1,
      line: '/mute',
      replies: [],
      state: 'expired',
      result: 'expired',
    });
    expect(io.err).toContain('[E_NO_ANSWER]');
  });

  it.each(['/', '   ', ''])('says what %j lacks', async (line) => {
    const { io, ended } = await start(HELLO, ['run', line]);
    expect(await ended).toBe(1);
    expect(io.err).toContain('[E_COMMAND_UNKNOWN]');
    expect(io.err).toContain('/hello');
  });
});

describe('virgule start', () => {
  /** A built bot that runs until it receives a signal, and writes to a file what it received. */
  const BOT = `
    import { appendFileSync } from 'node:fs';
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {
      appendFileSync('heard', signal); process.exit(0);
    });
    appendFileSync('heard', 'up ' + process.argv.slice(2).join(' ') + ' ');
    setInterval(() => {}, 1_000);`;
  const receivedBy = (project: TestProject) => () =>
    readFile(join(project.root, 'heard'), 'utf8').catch(() => '');

  it.each([
    ['SIGTERM', true],
    ['SIGTERM', false],
    // Such as from a process manager, which signals the parent alone.
    ['SIGINT', false],
  ] as const)('passes %s on (in a terminal: %s)', async (signal, terminal) => {
    const { io, project, ended } = await start(
      { 'dist/bot.mjs': BOT },
      ['start', '--sync', '--cwd', '.'],
      { env: NOWHERE, terminal },
    );
    await until(async () => expect(await receivedBy(project)()).toBe('up --sync '));
    io.stop(signal);
    expect(await ended).toBe(0);
    expect(await receivedBy(project)()).toBe('up --sync SIGTERM');
  });

  it('leaves Ctrl+C to the terminal, which sends it to the bot as well', async () => {
    const { io, project, ended } = await start(
      {
        'dist/bot.mjs': `${BOT}
          import { existsSync } from 'node:fs';
          setInterval(() => {
            if (!existsSync('enough')) return;
            appendFileSync('heard', 'nothing');
            process.exit(0);
          }, 10);`,
      },
      ['start'],
      { env: NOWHERE, terminal: true },
    );
    await until(async () => expect(await receivedBy(project)()).toBe('up  '));
    io.stop('SIGINT');
    await project.write('enough', '');
    expect(await ended).toBe(0);
    expect(await receivedBy(project)()).toBe('up  nothing');
  });

  it.each([
    [[], /▸ 🚀 up\n$/],
    [['--json'], /^$/],
  ])('prints the log of the bot as text on a terminal, unless %j', async (flags, shown) => {
    const line = JSON.stringify({ level: 30, time: 0, msg: '🚀 up' });
    const { io, ended } = await start(
      { 'dist/bot.mjs': `console.log(${JSON.stringify(line)});` },
      ['start', ...flags],
      { env: NOWHERE, columns: 80 },
    );
    expect(await ended).toBe(0);
    expect(io.out).toMatch(shown);
  });

  it('ends with the code of the bot', async () => {
    const { ended } = await start({ 'dist/bot.mjs': 'process.exit(3);' }, ['start'], {
      env: NOWHERE,
    });
    expect(await ended).toBe(3);
  });

  it('ends with 128 and the number of the signal when the bot is killed', async () => {
    const { ended } = await start(
      { 'dist/bot.mjs': `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1_000);` },
      ['start'],
      { env: NOWHERE },
    );
    expect(await ended).toBe(137);
  });
});

describe('virgule build, with something in the way', () => {
  it.each([
    ['dist', { dist: 'a file' }],
    ['.virgule', { '.virgule': 'a file' }],
    ['dist/bot.mjs', { 'dist/bot.mjs/in-the-way': '' }],
  ])('says that %s cannot be written, without a stack', async (name, files) => {
    const { io, ended } = await startStub({ ...HELLO, ...files }, ['build']);
    expect(await ended).toBe(1);
    expect(io.out).toBe('');
    expect(io.err).toContain('[E_BUILD_FAILED] The bot could not be built: E');
    expect(io.err).toContain(name);
    expect(io.err).toContain('Try:  Make that path accessible, or free disk space,');
    expect(io.err).not.toMatch(/^\s+at .*\.(ts|js):\d+/m);
  });

  it('keeps the bot of the last build when the next one fails', async () => {
    const { project, ended } = await startStub(HELLO, ['build']);
    expect(await ended).toBe(0);
    const before = await readFile(join(project.root, 'dist', 'bot.mjs'), 'utf8');
    await project.write('commands/hello.ts', 'export default {');
    expect(await run(['build'], createTestIo({ cwd: project.root }))).toBe(1);
    expect(await readFile(join(project.root, 'dist', 'bot.mjs'), 'utf8')).toBe(before);
  });

  it('builds below a folder with spaces and letters of any kind', async () => {
    const project = await projectWith({
      'my bots/Größe 机器人 #1/commands/hello.ts': answering('hello'),
    });
    const io = createTestIo({ cwd: join(project.root, 'my bots', 'Größe 机器人 #1') });
    expect(await run(['build', '--json'], io)).toBe(0);
    expect(JSON.parse(io.out)).toMatchObject({ file: join('dist', 'bot.mjs'), commands: 1 });
  });
});

describe('virgule deploy, when something comes between', () => {
  async function prepare(files: Readonly<Record<string, string>> = HELLO) {
    const platform = await startSimulator();
    onTestFinished(() => platform.close());
    const project = await projectWith(files);
    const io = (options: Partial<TestIoOptions> = {}) =>
      createTestIo({ cwd: project.root, env: envOf(platform), ...options });
    const registered = () => platform.snapshot().commands.map(({ name }) => name);
    const records = () => readdir(join(project.root, '.virgule', 'deploys')).catch(() => []);
    return { platform, project, io, registered, records };
  }

  it('changes nothing when someone else deployed after the plan was shown', async () => {
    const { platform, io, registered, records } = await prepare();
    const asked = io({ typed: [] });
    const code = await run(['deploy'], {
      ...asked,
      async ask() {
        await using rest = createRest(envOfRest(platform));
        await rest.commands.replace([{ name: 'theirs', description: 'Theirs', options: [] }]);
        return 'y';
      },
    });
    expect(code).toBe(1);
    expect(asked.err).toContain('[E_SYNC_STALE]');
    expect(registered()).toEqual(['theirs']);
    // Nothing was replaced, so there is nothing to go back to.
    expect(await records()).toEqual([]);
  });

  it('changes nothing when what is registered cannot be kept', async () => {
    const { io, registered } = await prepare({ ...HELLO, '.virgule': 'a file in the way' });
    const deploying = io();
    expect(await run(['deploy', '--yes'], deploying)).toBe(1);
    expect(deploying.err).toContain('[E_DEPLOY_REFUSED]');
    expect(deploying.err).toContain('Nothing was changed.');
    expect(deploying.err).toContain('Try:  Make that path writable');
    expect(registered()).toEqual([]);
  });

  it('keeps one record for each deploy, however soon they follow', async () => {
    const { project, io, records } = await prepare();
    for (const text of ['one', 'two', 'three']) {
      await project.write(`commands/${text}.ts`, answering(text));
      expect(await run(['deploy', '--yes'], io())).toBe(0);
    }
    expect(await records()).toHaveLength(3);
  });

  it.each([
    ['an empty line, as at Ctrl+D', ''],
    ['no', 'no'],
    ['the number of deletions where none is asked for', '0'],
  ])('changes nothing after %s', async (_, typed) => {
    const { platform, io } = await prepare();
    const asked = io({ typed: [typed] });
    expect(await run(['deploy'], asked)).toBe(1);
    expect(asked.err).toContain('[E_DEPLOY_REFUSED]');
    expect(platform.counts.requests['commands.replace']).toBe(0);
  });

  it('changes nothing when Ctrl+C comes with a yes', async () => {
    const { platform, io } = await prepare();
    const asked = io({ typed: [] });
    const code = await run(['deploy'], {
      ...asked,
      async ask() {
        asked.stop('SIGINT');
        return 'y';
      },
    });
    expect(code).toBe(130);
    expect(asked.err).toBe('');
    expect(platform.counts.requests['commands.replace']).toBe(0);
  });

  it.each([[['--json']], [['--yes', '--json']]])(
    'asks nothing with %j, and says on standard error what is missing',
    async (flags) => {
      const { io, registered } = await prepare();
      await run(['deploy', '--yes'], io());
      const { io: other } = await prepareOn(io().env, { 'commands/new.ts': answering('new') });
      const typed = other({ typed: ['1'] });
      expect(await run(['deploy', ...flags], typed)).toBe(1);
      expect(JSON.parse(typed.out)).toMatchObject({ result: 'not-applied', changes: 2 });
      expect(typed.err).toContain('[E_DEPLOY_REFUSED] The plan deletes 1 command');
      expect(registered()).toEqual(['hello']);
    },
  );

  it('shows deletions as data with --dry-run --json', async () => {
    const { io } = await prepare();
    await run(['deploy', '--yes'], io());
    const { io: other } = await prepareOn(io().env, { 'commands/new.ts': answering('new') });
    const planned = other();
    expect(await run(['deploy', '--dry-run', '--json'], planned)).toBe(0);
    expect(JSON.parse(planned.out)).toMatchObject({
      v: 1,
      result: 'planned',
      changes: 2,
      add: [{ name: 'new' }],
      remove: [{ name: 'hello' }],
      same: [],
    });
  });

  it('reports every problem of the project before it calls the platform', async () => {
    const { platform, io } = await prepare({
      'commands/a.ts': 'export {};',
      'commands/b.ts': 'export default {',
    });
    const deploying = io();
    expect(await run(['deploy', '--yes'], deploying)).toBe(1);
    expect(deploying.err).toContain('2 problems. Nothing was started.');
    expect(Object.values(platform.counts.requests).every((count) => count === 0)).toBe(true);
  });

  it('reports that nothing responds, and prints no token', async () => {
    const { io } = await prepare();
    const deploying = io({ env: NOWHERE });
    expect(await run(['deploy', '--yes'], deploying)).toBe(1);
    expect(deploying.err).toContain('[E_UNREACHABLE]');
    expect(deploying.err).not.toContain(NOWHERE.BOT_TOKEN);
  });

  /** Another folder for the same platform. */
  async function prepareOn(env: TestIoOptions['env'], files: Readonly<Record<string, string>>) {
    const project = await projectWith(files);
    return {
      io: (options: Partial<TestIoOptions> = {}) =>
        createTestIo({ cwd: project.root, env, ...options }),
    };
  }
});

const envOfRest = ({ token, baseUrl }: Simulator) => ({ token, baseUrl });
