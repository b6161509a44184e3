import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from './run-cli.js';
import { answering } from './test-project.js';

const FILES = { 'commands/hello.ts': answering('hello') };

async function startPlatform(given: { readonly token?: string } = {}) {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  const env = {
    BOT_TOKEN: given.token ?? platform.token,
    BOT_BASE_URL: platform.baseUrl,
    BOT_GATEWAY_URL: platform.gatewayUrl,
  };
  return { platform, env, argv: ['probe', '--channel', platform.channel().id] };
}

describe('the plan of virgule probe', () => {
  it('is printed with --dry-run, which calls nothing', async () => {
    const { platform, env, argv } = await startPlatform();
    const { code, out, root } = await runCli(FILES, [...argv, '--dry-run'], { env });
    expect(code).toBe(0);
    expect(out).toContain(
      'at most 100 calls, 7 messages, 12 edits of one, 2 identifies; about a minute\n',
    );
    expect(out).toContain('Stop your bot first');
    expect(out).toContain('Without a user, no commandUser');
    expect(out).toContain('Without BOT_USER_TOKEN, no answerWindowMs');
    expect(out).toContain('Without --write-commands, no syncResponse');
    const { out: more } = await runCli(FILES, [...argv, '--dry-run', '--write-commands'], {
      env: { ...env, BOT_USER_TOKEN: platform.userToken },
    });
    expect(more).not.toContain('Without');
    expect(more).toContain(
      'at most 600 calls, 8 messages, 12 edits of one, 2 identifies; about 20 minutes\n',
    );
    expect(more).not.toContain(platform.userToken);
    expect(platform.counts.requests['servers.list']).toBe(0);
    expect(existsSync(join(root, 'platform.json'))).toBe(false);
  });

  it('has to be confirmed', async () => {
    const { platform, env, argv } = await startPlatform();
    const closed = await runCli(FILES, argv, { env });
    expect([closed.code, closed.err]).toEqual([1, expect.stringContaining('[E_PROBE_FAILED]')]);
    expect(closed.err).toContain('--yes');
    const { code, out } = await runCli(FILES, argv, { env, typed: ['no'] });
    expect(code).toBe(1);
    expect(out).toContain('You are asked to type one command');
    expect(platform.counts.requests['servers.list']).toBe(0);
  });
});

describe('virgule probe', () => {
  it.each([
    ['no channel', ['probe']],
    ['a name', ['probe', '--yes', '--channel', 'general']],
    ['an unknown channel', ['probe', '--yes', '--channel', '00000000-0000-4000-8000-000000000000']],
  ])('refuses %s', async (_, argv) => {
    const { platform, env } = await startPlatform();
    const { code, err } = await runCli(FILES, argv, { env });
    expect([code, err]).toEqual([1, expect.stringContaining('[E_ARGUMENTS]')]);
    expect(platform.counts.requests['messages.send']).toBe(0);
  });

  it('refuses a file that it cannot replace, before the first call', async () => {
    const { platform, env, argv } = await startPlatform();
    const files = { ...FILES, 'platform.json/file.txt': 'text' };
    const { code, err } = await runCli(files, [...argv, '--yes'], { env });
    expect([code, err]).toEqual([1, expect.stringContaining('platform.json must be an object')]);
    expect(platform.counts.requests['servers.list']).toBe(0);
  });

  it.each([
    ['conflict markers', '<<<<<<< HEAD\n{"pageMax":7}\n=======\n', 'write {} to platform.json'],
    ['nothing', '', 'write {} to platform.json'],
    ['an unknown setting', '{"pageMaxx":7}', 'unknown key "profile.pageMaxx"'],
  ])('does not overwrite a platform.json with %s', async (_, text, message) => {
    const { platform, env, argv } = await startPlatform();
    const files = { ...FILES, 'platform.json': text };
    const { code, err, root } = await runCli(files, [...argv, '--yes'], { env });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain('platform.json');
    expect(platform.counts.requests['servers.list']).toBe(0);
    expect(readFileSync(join(root, 'platform.json'), 'utf8')).toBe(text);
  });

  it('explains a wrong token, without showing it', async () => {
    const { env, argv } = await startPlatform({ token: 'a-wrong-secret-token' });
    const { code, err } = await runCli(FILES, [...argv, '--yes'], { env });
    expect([code, err]).toEqual([1, expect.stringContaining('BOT_TOKEN')]);
    expect(err).not.toContain('a-wrong-secret-token');
  });

  it('reports soon that the platform cannot be reached', async () => {
    const { platform, env, argv } = await startPlatform();
    await platform.close();
    const { code, err } = await runCli(FILES, [...argv, '--yes'], { env });
    expect([code, err]).toEqual([1, expect.stringContaining('[E_UNREACHABLE]')]);
  });
});
