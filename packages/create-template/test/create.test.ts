import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from './test-io.js';

const FILES = ['.gitignore', 'README.md', 'commands', 'package.json'];

describe('create-virgule', () => {
  it('writes the template to a new folder, and lists the next commands', async () => {
    await using place = await createWorkplace();
    const { exitCode, stdout, stderr } = await place.run({ argv: ['my-bot', '--yes'] });
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toBe(
      `Wrote 4 files to ${join(place.cwd, 'my-bot')} (template basic, package name "my-bot").\n` +
        '\nNext:\n  cd my-bot\n  npm install\n  npm run dev\n',
    );
    expect(await place.names()).toEqual(['my-bot']);
    expect(await place.names('my-bot')).toEqual(FILES);
    expect(await place.names('my-bot/commands')).toEqual(['hello.ts']);
  });

  it.each([
    ['a b', 'cd "a b"'],
    ['a!b', "cd 'a!b'"],
    ["a'b!c", String.raw`cd 'a'\''b!c'`],
    ['a$(id)b', "cd 'a$(id)b'"],
    ['a`id`b', "cd 'a`id`b'"],
    ['~bot', 'cd "~bot"'],
    ['a\u001b[2Jb', String.raw`cd "a\u001b[2Jb"`],
  ])('prints a command that leads to the folder %j', async (folder, command) => {
    await using place = await createWorkplace();
    const { stdout } = await place.run({ argv: [folder] });
    expect(stdout).toContain(`  ${command}\n`);
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(await place.names()).toEqual([folder]);
  });

  it('creates a bot in the home folder where no shell has replaced ~', async () => {
    await using place = await createWorkplace();
    const options = { env: { HOME: join(place.cwd, 'ada') } };
    await place.run({ ...options, argv: ['~/bots/first'] });
    await place.run({ ...options, answers: ['~/bots/second', '', 'n'], argv: [] });
    expect(await place.names('ada/bots')).toEqual(['first', 'second']);
    expect(await place.names()).toEqual(['ada']);
  });

  it('names the package after the folder, and omits the description of the template', async () => {
    await using place = await createWorkplace();
    const { stdout } = await place.run({ argv: ['My Bot!'] });
    expect(stdout).toContain('package name "my-bot"');
    expect(stdout).toContain('cd "My Bot!"');
    const text = await readFile(join(place.cwd, 'My Bot!/package.json'), 'utf8');
    expect(text).toBe(
      '{\n  "name": "my-bot",\n  "version": "0.1.0",\n  "dependencies": {\n    "virgule": "^1.2.3"\n  }\n}\n',
    );
  });

  it('writes to the current folder with "."', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'here'));
    const inside = await place.run({ argv: ['here'] });
    expect(inside.exitCode).toBe(0);
    const { stdout, exitCode } = await place.run({ argv: ['.', '--merge'] });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\nNext:\n  npm install\n');
    expect(await place.names()).toEqual([...FILES, 'here'].toSorted());
  });

  it('creates parent folders', async () => {
    await using place = await createWorkplace();
    const { exitCode, stdout } = await place.run({ argv: ['bots/mine/first'] });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('cd bots/mine/first');
    expect(await place.names('bots/mine/first')).toEqual(FILES);
  });

  it('creates the folder with default permissions', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'ordinary'));
    await place.run({ argv: ['my-bot'] });
    const { mode } = await stat(join(place.cwd, 'my-bot'));
    expect(mode).toBe((await stat(join(place.cwd, 'ordinary'))).mode);
  });

  it('prints one line of JSON and nothing else with --json', async () => {
    await using place = await createWorkplace();
    const { exitCode, stdout, stderr } = await place.run({
      argv: ['my-bot', '--json', '--install'],
      answers: [],
    });
    expect(exitCode).toBe(0);
    expect(stderr).toBe('output of npm\n');
    expect(JSON.parse(stdout)).toEqual({
      v: 1,
      ok: true,
      folder: join(place.cwd, 'my-bot'),
      name: 'my-bot',
      template: 'basic',
      packageManager: 'npm',
      installed: true,
      files: ['.gitignore', 'README.md', 'commands/hello.ts', 'package.json'],
      kept: [],
      ignore: [],
      next: ['cd my-bot', 'npm run dev'],
    });
  });

  it('lists the templates if the requested one is unknown', async () => {
    await using place = await createWorkplace();
    const { exitCode, stderr } = await place.run({ argv: ['my-bot', '--template', 'basix'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[E_CREATE_ARGUMENTS]');
    expect(stderr).toContain('basic');
    expect(stderr).toContain('--bare');
    expect(await place.names()).toEqual([]);
  });

  it('prints its version, and its help with the templates', async () => {
    await using place = await createWorkplace();
    expect(await place.run({ argv: ['-v'] })).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' });
    const { stdout } = await place.run({ argv: ['--help'] });
    expect(stdout).toMatch(/^Usage: create-virgule \[folder\] \[flags\]\n/);
    expect(stdout).toMatch(
      /\nTemplates:\n {2}basic {2}The sample\.\n {2}other {2}Another sample\.\n$/,
    );
    expect(await place.names()).toEqual([]);
  });
});

describe('create-virgule, following up', () => {
  it('installs with the package manager that started it', async () => {
    await using place = await createWorkplace();
    const { commands, stdout } = await place.run({
      argv: ['my-bot', '--install'],
      env: { npm_config_user_agent: 'pnpm/10.34.9 npm/? node/v20.20.2 linux x64' },
    });
    const folder = join(place.cwd, 'my-bot');
    expect(commands).toEqual([`pnpm install in ${folder}`]);
    expect(stdout).toContain('\nNext:\n  cd my-bot\n  pnpm dev\n');
    expect(await readFile(join(folder, 'pnpm-workspace.yaml'), 'utf8')).toContain('esbuild: true');
  });

  it('installs nothing without a terminal, with CI set, or with --no-install', async () => {
    await using place = await createWorkplace();
    const runs = [
      await place.run({ argv: ['a', '--yes'] }),
      await place.run({ argv: ['b'], env: { CI: 'true' }, answers: [] }),
      await place.run({ argv: ['c', '--yes', '--no-install'], answers: [] }),
    ];
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(runs.flatMap(({ commands }) => commands)).toEqual([]);
    expect(await place.names()).toEqual(['a', 'b', 'c']);
  });

  it('installs without asking in a terminal with --yes', async () => {
    await using place = await createWorkplace();
    const { commands, questions } = await place.run({ argv: ['--yes'], answers: [] });
    expect(questions).toEqual([]);
    expect(commands).toEqual([`npm install in ${join(place.cwd, 'my-bot')}`]);
  });

  it('keeps the files and says what to run when the installation fails', async () => {
    await using place = await createWorkplace();
    const { exitCode, stderr } = await place.run({
      argv: ['my-bot', '--install'],
      commandExitCode: 1,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Error [E_CREATE_FAILED] "npm install" failed');
    expect(stderr).toContain('Try:  Run `cd my-bot && npm install` to try again.');
    expect(await place.names('my-bot')).toEqual(FILES);
  });

  it('exits 130 and keeps the files when Ctrl+C stops the installation', async () => {
    await using place = await createWorkplace();
    const interrupt = new AbortController();
    const { exitCode, stderr } = await place.run({
      argv: ['my-bot', '--install'],
      commandExitCode: 1,
      onCommand: () => interrupt.abort(),
      signal: interrupt.signal,
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('the files of the bot are complete.');
    expect(await place.names('my-bot')).toEqual(FILES);
  });
});
