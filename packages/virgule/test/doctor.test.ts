import { createRest } from '@virgule/client/rest';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import type { DoctorLine } from '../src/doctor/doctor-line.js';
import { runCli, type CliResult, type Files } from './run-cli.js';
import { createTestIo, type TestIoOptions } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const HELLO = { 'commands/hello.ts': answering('hello') };
/** An address without a server. */
const NOWHERE = {
  BOT_TOKEN: 'a-secret-token-of-nobody',
  BOT_BASE_URL: 'http://127.0.0.1:1',
  BOT_GATEWAY_URL: 'ws://127.0.0.1:1',
};

const doctor = (
  files: Files,
  options: Partial<TestIoOptions> = {},
  argv: readonly string[] = [],
): Promise<CliResult> => runCli(files, ['doctor', ...argv], options);

/** The lines as data, by name. */
async function look(files: Readonly<Record<string, string>>, options: Partial<TestIoOptions> = {}) {
  const { code, out, err } = await doctor(files, options, ['--json']);
  expect(err).toBe('');
  const { checks, ...rest } = JSON.parse(out) as { readonly checks: readonly DoctorLine[] };
  const lines = Object.fromEntries(checks.map((line) => [line.name, line]));
  return { code, rest, lines, names: checks.map(({ name }) => name), out };
}

async function startPlatform() {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  const env = {
    BOT_TOKEN: platform.token,
    BOT_BASE_URL: platform.baseUrl,
    BOT_GATEWAY_URL: platform.gatewayUrl,
  };
  return { platform, env };
}

async function register(platform: Simulator, ...names: string[]): Promise<void> {
  const { token, baseUrl } = platform;
  await using rest = createRest({ token, baseUrl });
  await rest.commands.replace(names.map((name) => ({ name, description: 'Answer', options: [] })));
}

describe('virgule doctor, without problems', () => {
  it('looks at everything and ends with 0', async () => {
    const { platform, env } = await startPlatform();
    await register(platform, 'hello');
    const { code, rest, lines, names } = await look(HELLO, { env });
    expect(code).toBe(0);
    expect(rest).toEqual({ v: 1, ok: true });
    expect(names).toEqual([
      'Node.js',
      'virgule',
      '.env files',
      'project',
      'settings',
      'profile',
      'token',
      'registered',
      'gateway',
    ]);
    expect(Object.values(lines).filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(lines).toMatchObject({
      'Node.js': { message: process.versions.node },
      project: { message: '1 command, 0 event handlers, intents APPLICATION_COMMANDS' },
      settings: { message: `${platform.baseUrl}, ${platform.gatewayUrl}` },
      token: {
        message: expect.stringMatching(/^accepted; the bot is \S.* \(application [\w-]{36}\)$/),
      },
      registered: { message: 'match the files' },
      gateway: { message: expect.stringMatching(/^HELLO after \d+ ms$/) },
    });
  });

  it('prints one line for each, lined up', async () => {
    const { platform, env } = await startPlatform();
    await register(platform, 'hello');
    const { code, out, err } = await doctor(HELLO, { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    for (const line of lines) expect(line).toMatch(/^ok {4}(.{10}) {2}\S/);
  });

  it('does not identify at the gateway and changes nothing', async () => {
    const { platform, env } = await startPlatform();
    await doctor(HELLO, { env });
    expect(platform.counts.identifies).toBe(0);
    expect(platform.counts.requests['commands.replace']).toBe(0);
    expect(platform.snapshot().commands).toEqual([]);
  });

  it('names the assumptions that were never measured', async () => {
    const facts = { pageMax: { value: 50 }, 'heartbeat.intervalMs': { evidence: 'no HELLO' } };
    const { lines } = await look({
      ...HELLO,
      'virgule.config.ts': `export default { profile: { measured: ${JSON.stringify({ facts })} } };`,
    });
    expect(lines['profile']).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^never measured: answerWindowMs, .*heartbeat\.intervalMs/),
    });
    expect(lines['profile']?.message).not.toContain('pageMax');
    const { lines: without } = await look(HELLO);
    expect(without['profile']?.message).toContain('`virgule probe`');
    const { lines: unused } = await look({ ...HELLO, 'platform.json': '{ "measured": {} }' });
    expect(unused['profile']).toMatchObject({
      status: 'warn',
      message: 'the configuration does not use platform.json',
    });
  });

  it('shows addresses without credentials and queries, as they are used', async () => {
    const { platform, env } = await startPlatform();
    const dressed = (address: string): string =>
      `${address.replace('//', '//user:hunter2pw@')}/?key=hidden-in-query`;
    const { code, lines, out } = await look(HELLO, {
      env: {
        ...env,
        BOT_BASE_URL: dressed(env.BOT_BASE_URL),
        BOT_GATEWAY_URL: dressed(env.BOT_GATEWAY_URL),
      },
    });
    expect(code).toBe(0);
    expect(lines).toMatchObject({
      settings: { message: `${platform.baseUrl}, ${platform.gatewayUrl}` },
      gateway: { status: 'ok' },
    });
    expect(out).not.toMatch(/hunter2pw|hidden-in-query/);
  });

  it('shows no credentials of a gateway that does not answer', async () => {
    const env = { BOT_GATEWAY_URL: 'ws://user:hunter2pw@127.0.0.1:1/?key=hidden-in-query' };
    const { lines, out } = await look(HELLO, { env });
    expect(lines['gateway']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:1: /),
    });
    expect(out).not.toMatch(/hunter2pw|hidden-in-query/);
  });

  it('reads what is set from .env files, and says which', async () => {
    const { platform } = await startPlatform();
    await register(platform, 'hello');
    const { lines } = await look({
      ...HELLO,
      '.env': `BOT_TOKEN=wrong\nBOT_BASE_URL=${platform.baseUrl}`,
      '.env.production': `BOT_TOKEN=${platform.token}`,
    });
    expect(lines['.env files']).toEqual({
      name: '.env files',
      status: 'ok',
      message: '.env, .env.production',
    });
    expect(lines['token']?.status).toBe('ok');
    expect(lines['settings']).toMatchObject({
      status: 'warn',
      message: 'BOT_GATEWAY_URL is not set',
    });
    expect(lines['gateway']).toBeUndefined();
  });
});

describe('virgule doctor, where something is wrong', () => {
  it('warns of lines of .env that cannot be read', async () => {
    const { lines } = await look({ ...HELLO, '.env': 'my bot\nA=1' });
    expect(lines['.env files']).toMatchObject({
      status: 'warn',
      message: '.env:1 is not NAME=value and is ignored',
    });
  });

  it('fails with a dead address, with what to check', async () => {
    const { code, rest, lines } = await look(HELLO, { env: NOWHERE });
    expect(code).toBe(1);
    expect(rest).toMatchObject({ ok: false });
    expect(lines['token']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('http://127.0.0.1:1 cannot be reached'),
      hint: expect.stringContaining('BOT_BASE_URL'),
    });
    expect(lines['gateway']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/),
      hint: expect.stringContaining('BOT_GATEWAY_URL'),
    });
    expect(lines['registered']).toBeUndefined();
  });

  it('fails with a wrong token, and asks for nothing more with it', async () => {
    const { platform, env } = await startPlatform();
    const { code, lines } = await look(HELLO, { env: { ...env, BOT_TOKEN: 'not-the-right-one' } });
    expect(code).toBe(1);
    expect(lines['token']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('refused'),
      hint: expect.stringContaining('BOT_TOKEN'),
    });
    expect(lines['registered']).toBeUndefined();
    expect(platform.counts.requests['commands.list']).toBe(0);
    expect(lines['gateway']?.status).toBe('ok');
  });

  it('warns of drift between the local and the registered commands', async () => {
    const { platform, env } = await startPlatform();
    await register(platform, 'hello', 'old', 'older');
    const files = {
      'commands/hello.ts': answering('hello').replace("'Answer'", "'Answer differently'"),
      'commands/new.ts': answering('new'),
    };
    const { code, lines } = await look(files, { env });
    expect(code).toBe(0);
    expect(lines['registered']).toEqual({
      name: 'registered',
      status: 'warn',
      message: 'differ from the files: 1 missing, 1 different, 2 without a file',
      hint: 'Run `virgule deploy` to see and apply the plan.',
    });
  });

  it('fails with a project that has errors, and compares nothing then', async () => {
    const { env } = await startPlatform();
    const { code, lines } = await look({ ...HELLO, 'commands/b.ts': 'export {};' }, { env });
    expect(code).toBe(1);
    expect(lines['project']).toMatchObject({
      status: 'fail',
      message: '1 error',
      hint: 'Run `virgule check` to see them.',
    });
    expect(lines['registered']).toBeUndefined();
  });

  it('warns of a project that has warnings', async () => {
    const { code, lines } = await look({ 'commands/_lib.ts': '' });
    expect(code).toBe(0);
    expect(lines['project']).toMatchObject({ status: 'warn', message: '1 warning' });
  });

  it('warns of what is not set, and ends with 0: dev needs none of it', async () => {
    const { code, lines, names } = await look(HELLO);
    expect(code).toBe(0);
    expect(lines['settings']).toMatchObject({
      status: 'warn',
      message: 'BOT_TOKEN, BOT_BASE_URL, BOT_GATEWAY_URL are not set',
    });
    expect(names).not.toContain('token');
  });

  it('fails with invalid addresses', async () => {
    const env = { BOT_TOKEN: 't', BOT_BASE_URL: 'chat.test', BOT_GATEWAY_URL: 'https://chat.test' };
    const { code, lines } = await look(HELLO, { env });
    expect(code).toBe(1);
    expect(lines['token']?.message).toContain('baseUrl must be an address');
    expect(lines['gateway']?.message).toContain('gatewayUrl must be an address');
  });

  it('uses the addresses of the configuration where the environment has none', async () => {
    const { platform, env } = await startPlatform();
    const { baseUrl, gatewayUrl } = platform;
    const files = {
      ...HELLO,
      'virgule.config.ts': `
        import { defineConfig } from 'virgule';
        export default defineConfig(${JSON.stringify({ baseUrl, gatewayUrl })});`,
    };
    const { lines } = await look(files, { env: { BOT_TOKEN: env.BOT_TOKEN } });
    expect(lines['settings']).toMatchObject({ status: 'ok', message: `${baseUrl}, ${gatewayUrl}` });
    expect(lines['token']?.status).toBe('ok');
    expect(lines['gateway']?.status).toBe('ok');
  });

  it('checks the environment by the configuration, and prints no value', async () => {
    const files = {
      ...HELLO,
      'virgule.config.ts': `
        import { defineConfig } from 'virgule';
        import * as z from 'zod';
        export default defineConfig({ env: z.object({ DATABASE_URL: z.url(), MODE: z.string() }) });`,
    };
    const { code, lines, out } = await look(files, { env: { DATABASE_URL: 'my-secret-database' } });
    expect(code).toBe(1);
    expect(lines['variables']).toMatchObject({ status: 'fail' });
    expect(lines['variables']?.message).toMatch(/DATABASE_URL.*MODE/);
    expect(out).not.toContain('my-secret-database');
    const env = { DATABASE_URL: 'https://example.com', MODE: 'quiet' };
    expect((await look(files, { env })).lines['variables']?.status).toBe('ok');
  });

  it('fails with a Node.js that is too old', async () => {
    const { code, lines } = await look(HELLO, { nodeVersion: '20.18.3' });
    expect(code).toBe(1);
    expect(lines['Node.js']).toMatchObject({
      status: 'fail',
      message: '20.18.3 is too old',
      hint: 'Install Node.js 20.19 or newer.',
    });
  });

  it('fails with an .env file that cannot be read', async () => {
    const { code, lines } = await look({ ...HELLO, '.env/in-the-way': '' });
    expect(code).toBe(1);
    expect(lines['.env files']).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('.env cannot be read'),
    });
  });

  it('prints no token, whatever is wrong with it', async () => {
    const { platform, env } = await startPlatform();
    const secret = 'my-very-secret-token';
    for (const { out, err } of [
      await doctor(HELLO, { env }),
      await doctor(HELLO, { env }, ['--json']),
      await doctor(HELLO, { env: { ...env, BOT_TOKEN: secret } }),
      await doctor(HELLO, { env: { ...NOWHERE, BOT_TOKEN: secret } }),
      await doctor(HELLO, { env: { ...env, BOT_TOKEN: `${secret}\u0000` } }),
      await doctor(
        { ...HELLO, '.env': `BOT_TOKEN=${secret}` },
        { env: { ...env, BOT_TOKEN: undefined } },
      ),
    ]) {
      expect(out + err).not.toContain(platform.token);
      expect(out + err).not.toContain(secret);
    }
  });

  it('shows hints below their lines, in color where allowed', async () => {
    const { out } = await doctor(HELLO, { color: true });
    expect(out).toContain('\u001B[33mwarn\u001B[39m  settings');
    expect((await doctor(HELLO)).out).toMatch(/^ {18}Try: {2}`virgule dev` needs none/m);
  });

  it('ends with 130 at Ctrl+C while it looks', async () => {
    const project = await createTestProject({ 'commands/a.ts': 'await new Promise(() => {});' });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const io = createTestIo({ cwd: project.root });
    const ended = run(['doctor'], io);
    io.stop('SIGINT');
    expect(await ended).toBe(130);
    expect(io.err).toBe('');
  });
});
