import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject, type TestProject } from './test-project.js';

describe('virgule deploy', () => {
  let platform: Simulator;
  let project: TestProject;

  beforeEach(async () => {
    platform = await startSimulator();
    project = await createTestProject({
      'commands/hello.ts': answering('hello'),
      'commands/old.ts': answering('old'),
    });
  });
  afterEach(async () => {
    await platform.close();
    await project[Symbol.asyncDispose]();
  });

  async function deploy(argv: string[] = [], typed?: string[]) {
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const io = createTestIo({ cwd: project.root, env, typed });
    const code = await run(['deploy', ...argv], io);
    return { code, out: io.out, err: io.err };
  }
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);
  const puts = (): number => platform.counts.requests['commands.replace'] ?? 0;

  it('adds at first, and has nothing to do the second time', async () => {
    const first = await deploy(['--yes']);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('  + /hello');
    expect(first.out).toContain('and verified by reading it back.');
    expect(registered()).toEqual(['hello', 'old']);

    const second = await deploy(['--yes']);
    expect(second).toMatchObject({
      code: 0,
      out: 'No changes. 2 commands of Demo Bot are up to date.\n',
    });
    expect(puts()).toBe(1);
  });

  it('asks before it removes a command, and accepts only the number of deletions as a yes', async () => {
    await deploy(['--yes']);
    await project.remove('commands/old.ts');

    const refused = await deploy([], ['y']);
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('  - /old');
    expect(refused.out).toContain('Type the number of deletions (1) to confirm');
    expect(refused.err).toContain('E_DEPLOY_REFUSED');
    expect(registered()).toEqual(['hello', 'old']);

    expect((await deploy([], ['1'])).code).toBe(0);
    expect(registered()).toEqual(['hello']);
  });

  it('does not take --yes for a yes to deletions', async () => {
    await deploy(['--yes']);
    await project.remove('commands/old.ts');
    const { code, err } = await deploy(['--yes']);
    expect(code).toBe(1);
    expect(err).toContain('E_DEPLOY_REFUSED');
    expect(err).toContain('Run `virgule deploy --yes --allow-delete=old`.');
    expect(registered()).toContain('old');

    expect((await deploy(['--yes', '--allow-delete'])).code).toBe(0);
    expect(registered()).toEqual(['hello']);
  });

  it('changes nothing without a terminal and without --yes, and says what to run', async () => {
    const { code, out, err } = await deploy();
    expect(code).toBe(1);
    expect(out).toContain('2 to add');
    expect(err).toContain('Run `virgule deploy --yes`.');
    expect(puts()).toBe(0);
  });

  it('asks on a terminal, and accepts y as a yes when nothing is deleted', async () => {
    expect((await deploy([], ['n'])).code).toBe(1);
    expect(puts()).toBe(0);
    expect((await deploy([], ['y'])).code).toBe(0);
    expect(puts()).toBe(1);
  });

  it('changes nothing with --dry-run', async () => {
    const { code, out } = await deploy(['--dry-run', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('2 to add');
    expect(puts()).toBe(0);
  });

  it('prints one JSON object with --json', async () => {
    const planned = await deploy(['--dry-run', '--json']);
    expect(JSON.parse(planned.out)).toMatchObject({
      v: 1,
      result: 'planned',
      changes: 2,
      remove: [],
    });
    const applied = await deploy(['--yes', '--json']);
    expect(JSON.parse(applied.out)).toMatchObject({ v: 1, result: 'applied', changes: 2 });
    const again = await deploy(['--yes', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({
      v: 1,
      result: 'no-changes',
      changes: 0,
      same: ['hello', 'old'],
    });
  });

  it('keeps what was replaced, and says how to roll back', async () => {
    await deploy(['--yes']);
    await project.write('commands/new.ts', answering('new'));
    const { out } = await deploy(['--yes']);
    const name = /virgule deploy --from (\S+)/.exec(out)?.[1];
    const folder = join(project.root, '.virgule', 'deploys');
    const saved = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as unknown;
    expect(saved).toMatchObject({
      v: 1,
      commands: [{ name: 'hello' }, { name: 'old' }],
      own: ['hello', 'old'],
    });
  });

  it('rolls back to what was replaced, with --from, after the same consent', async () => {
    await deploy(['--yes']);
    await project.write('commands/hello.ts', answering('hello').replace("'Answer'", "'Changed'"));
    await project.write('commands/new.ts', answering('new'));
    const { out } = await deploy(['--yes']);
    const name = /--from (\S+)/.exec(out)?.[1] ?? '';
    // A rollback has to work when the code is broken.
    await project.write('commands/hello.ts', 'export default {');

    const planned = await deploy(['--from', name]);
    expect(planned.code).toBe(1);
    expect(planned.out).toContain('Comparing 2 saved commands with 3 registered');
    expect(planned.out).toContain('  - /new    "Answer"  will be DELETED');
    expect(planned.err).toContain(
      `Run \`virgule deploy --from ${name} --yes --allow-delete=new\`.`,
    );
    expect((await deploy(['--from', name], ['1'])).code).toBe(0);
    expect(platform.snapshot().commands).toMatchObject([
      { name: 'hello', description: 'Answer' },
      { name: 'old' },
    ]);
    expect((await deploy(['--from', name, '--check'])).code).toBe(0);
  });

  it('lists the saved sets when the name is wrong', async () => {
    expect((await deploy(['--from', 'last'])).err).toContain('There are none yet');
    await deploy(['--yes']);
    const { code, err } = await deploy(['--from', 'last']);
    expect(code).toBe(1);
    expect(err).toContain('[E_SAVED_SET] There is no saved set "last".');
    expect(err).toMatch(/Saved sets, newest first: \d{4}-\d\d-\d\dT/);
  });

  it('rolls back to no set of another bot', async () => {
    await project.write('other.json', '{"v":1,"applicationId":"other","own":null,"commands":[]}');
    const { code, err } = await deploy(['--from', 'other.json', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('[E_SAVED_SET]');
    expect(err).toContain('it belongs to another bot (application other)');
  });

  it('ends --check with 0 when all is the same, 2 when it differs, and 1 at an error', async () => {
    const differs = await deploy(['--check']);
    expect(differs).toMatchObject({ code: 2, err: '' });
    expect(differs.out).toContain('2 to add');
    expect(JSON.parse((await deploy(['--check', '--json'])).out)).toMatchObject({
      result: 'differs',
      changes: 2,
    });
    expect(puts()).toBe(0);
    await deploy(['--yes']);
    expect(await deploy(['--check'])).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse((await deploy(['--check', '--json'])).out)).toMatchObject({ result: 'same' });
    await project.write('commands/hello.ts', 'export const x = 1;');
    expect((await deploy(['--check'])).code).toBe(1);
  });

  it('deletes with --allow-delete=names those that are named, and no others', async () => {
    await deploy(['--yes']);
    await project.write('commands/new.ts', answering('new'));
    await project.remove('commands/old.ts');
    await project.remove('commands/hello.ts');
    const partly = await deploy(['--yes', '--allow-delete=old']);
    expect(partly.code).toBe(1);
    expect(partly.err).toContain(
      'The plan deletes 1 command: without a question, only --allow-delete confirms that.',
    );
    expect(partly.err).toContain('--allow-delete=hello,old');
    expect(registered()).toEqual(['hello', 'old']);
    // On a terminal the rest is asked for.
    const asked = await deploy(['--allow-delete=old'], ['1']);
    expect(asked.out).toContain('Type the number of deletions (1) to confirm');
    expect(registered()).toEqual(['new']);
  });

  describe('--keep-foreign', () => {
    const registerElsewhere = (...names: string[]) =>
      fetch(`${platform.baseUrl}/api/bot/v1/commands`, {
        method: 'PUT',
        headers: { authorization: `Bot ${platform.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          commands: names.map((name) => ({ name, description: 'Theirs', options: [] })),
        }),
      });

    it('keeps what no deploy from here has named, and deletes what one has', async () => {
      await deploy(['--yes']);
      await registerElsewhere('hello', 'old', 'theirs');
      await project.remove('commands/old.ts');
      const { code, out } = await deploy(['--yes', '--keep-foreign', '--allow-delete=old']);
      expect(code).toBe(0);
      expect(out).toContain('  = 1 kept, not deployed from here: /theirs');
      expect(out).toContain('  - /old');
      expect(registered()).toEqual(['hello', 'theirs']);
      expect((await deploy(['--check', '--keep-foreign'])).code).toBe(0);
      expect((await deploy(['--check'])).code).toBe(2);
    });

    it('treats every absent command as a deletion when there is no record', async () => {
      await registerElsewhere('theirs');
      const { code, out, err } = await deploy(['--yes', '--keep-foreign']);
      expect(code).toBe(1);
      expect(out).toContain('  - /theirs');
      expect(err).toContain('virgule deploy --keep-foreign --yes --allow-delete=theirs');
      expect(registered()).toEqual(['theirs']);
    });

    it('does not treat a damaged record as missing', async () => {
      await project.write('.virgule/deployed.json', '{');
      const { code, err } = await deploy(['--yes', '--keep-foreign']);
      expect(code).toBe(1);
      expect(err).toContain('[E_DEPLOY_RECORD]');
    });
  });

  it('refuses an empty set without --allow-empty', async () => {
    await deploy(['--yes']);
    await project.write('commands/_private.ts', 'export const x = 1;');
    await project.remove('commands/old.ts');
    await project.remove('commands/hello.ts');
    const refused = await deploy(['--yes', '--allow-delete']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[E_SYNC_EMPTY]');
    expect(refused.err).toContain('--allow-empty');
    expect(registered()).toEqual(['hello', 'old']);
    expect((await deploy(['--yes', '--allow-delete', '--allow-empty'])).code).toBe(0);
    expect(registered()).toEqual([]);
  });

  it('empties the set with --allow-empty where there is no file of a command any more', async () => {
    await deploy(['--yes']);
    await project.remove('commands/old.ts');
    await project.remove('commands/hello.ts');
    const refused = await deploy(['--yes', '--allow-delete']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('E_NO_COMMANDS_FOLDER'),
    });
    expect(registered()).toEqual(['hello', 'old']);
    expect((await deploy(['--yes', '--allow-delete', '--allow-empty'])).code).toBe(0);
    expect(registered()).toEqual([]);
  });

  it('says that there is nothing to do when the same was deployed while it asked', async () => {
    const { token, baseUrl, gatewayUrl } = platform;
    const env = { BOT_TOKEN: token, BOT_BASE_URL: baseUrl, BOT_GATEWAY_URL: gatewayUrl };
    const io = createTestIo({ cwd: project.root, env, typed: [] });
    const ask = async (): Promise<string> => {
      expect((await deploy(['--yes'])).code).toBe(0);
      return 'y';
    };
    expect(await run(['deploy'], { ...io, ask })).toBe(0);
    expect(io.out).toContain('No changes: another deploy has just registered the same commands.');
    expect(puts()).toBe(1);
  });

  it('prints the plan as JSON where it is not applied, and says why on standard error', async () => {
    const { code, out, err } = await deploy(['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      v: 1,
      result: 'not-applied',
      application: { name: 'Demo Bot' },
      breaking: 0,
      add: [{ name: 'hello', file: 'commands/hello.ts' }, { name: 'old' }],
      kept: [],
    });
    expect(err).toContain('[E_DEPLOY_REFUSED]');
  });

  it('marks what breaks the lines that users type', async () => {
    const play = (options: string): string => `
import { defineCommand } from 'virgule';
import * as z from 'zod';
export default defineCommand({ description: 'Play', options: z.object({ ${options} }), run: () => 'ok' });
`;
    const url = `url: z.string().describe('URL')`;
    const loop = `loop: z.string().describe('Loop')`;
    await project.write('commands/play.ts', play(`${url}, ${loop}`));
    await deploy(['--yes']);
    await project.write(
      'commands/play.ts',
      play(`${loop}, ${url}, on: z.boolean().describe('On')`),
    );
    const { out } = await deploy(['--dry-run']);
    expect(out).toContain('~ option order  "url, loop" → "loop, url"  ! positional arguments');
    expect(out).toContain('+ option on  boolean, required  ! callers omitting it will fail');
    expect(out).toContain('! 2 breaking changes.');
  });

  it('says that the token is refused', async () => {
    const io = createTestIo({
      cwd: project.root,
      env: {
        BOT_TOKEN: 'wrong-token',
        BOT_BASE_URL: platform.baseUrl,
        BOT_GATEWAY_URL: platform.gatewayUrl,
      },
    });
    expect(await run(['deploy', '--yes'], io)).toBe(1);
    expect(io.err).toContain('E_UNAUTHORIZED');
    expect(io.err).not.toContain('wrong-token');
    expect(puts()).toBe(0);
  });

  it('reads the settings from .env, and lets the environment win', async () => {
    await project.write(
      '.env',
      `BOT_TOKEN=${platform.token}\nBOT_BASE_URL=http://127.0.0.1:1\nBOT_GATEWAY_URL=${platform.gatewayUrl}\n`,
    );
    const io = createTestIo({ cwd: project.root, env: { BOT_BASE_URL: platform.baseUrl } });
    expect(await run(['deploy', '--yes'], io)).toBe(0);
  });
});
