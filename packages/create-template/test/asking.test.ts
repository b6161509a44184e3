import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from './test-io.js';

describe('create-virgule, asking', () => {
  it('asks at most three questions, and uses the default for an empty line', async () => {
    await using place = await createWorkplace();
    const { exitCode, questions, commands } = await place.run({ argv: [], answers: ['', '', ''] });
    expect(exitCode).toBe(0);
    expect(questions).toEqual([
      'Folder? (my-bot) ',
      'Template?\n  1  basic  The sample.\n  2  other  Another sample.\n(basic) ',
      'Install with npm? (Y/n) ',
    ]);
    expect(commands).toEqual([`npm install in ${join(place.cwd, 'my-bot')}`]);
  });

  it('does not ask for what a flag specifies', async () => {
    await using place = await createWorkplace();
    const { questions } = await place.run({
      argv: ['my-bot', '-t', 'other', '--no-install'],
      answers: [],
    });
    expect(questions).toEqual([]);
    expect(await place.names('my-bot')).toEqual(['package.json']);
  });

  it('does not ask for a template with --bare, which is for one template only', async () => {
    await using place = await createWorkplace();
    const argv = ['my-bot', '--bare', '--no-install'];
    const { questions, stdout } = await place.run({ argv, answers: [] });
    expect([questions, stdout.includes('template basic')]).toEqual([[], true]);
    const { stderr } = await place.run({ argv: [...argv, '-t', 'other'] });
    expect(stderr).toContain('--bare takes the template basic, got "other".');
  });

  it.each([
    [['--yes'], {}, 'npm run dev'],
    // In CI, nothing else installs.
    [['--pm', 'pnpm'], { CI: 'true' }, 'pnpm dev'],
  ])('installs and starts the bot with --dev and %j, %j', async (argv, env, dev) => {
    await using place = await createWorkplace();
    const bot = join(place.cwd, 'my-bot');
    const [program] = dev.split(' ');
    const { exitCode, commands, stdout } = await place.run({
      argv: ['--dev', ...argv],
      env,
      answers: [],
    });
    expect(exitCode).toBe(0);
    expect(commands).toEqual([`${program} install in ${bot}`, `${dev} in ${bot}`]);
    expect(stdout).not.toContain('Next:');
    expect(stdout.indexOf('Wrote')).toBeLessThan(stdout.lastIndexOf(`output of ${program}`));
  });

  it('starts nothing with --dev when the installation fails', async () => {
    await using place = await createWorkplace();
    const failed = await place.run({ argv: ['--dev'], commandExitCode: 1 });
    expect(failed.commands).toEqual([`npm install in ${join(place.cwd, 'my-bot')}`]);
    expect(failed.exitCode).toBe(1);
  });

  it('accepts a template by number or name, and asks again for anything else', async () => {
    await using place = await createWorkplace();
    const { questions, stdout } = await place.run({ argv: ['my-bot'], answers: ['3', '2', 'no'] });
    expect(questions).toHaveLength(3);
    expect(stdout).toContain('"3" is not a valid answer.');
    expect(stdout).toContain('template other');
  });

  it('trims the typed folder', async () => {
    await using place = await createWorkplace();
    const { stdout } = await place.run({
      argv: ['-t', 'other', '--no-install'],
      answers: [' bots/first '],
    });
    expect(stdout).toContain('package name "first"');
    expect(await place.names('bots/first')).toEqual(['package.json']);
  });

  it.each([
    ['y', true],
    ['Yes', true],
    ['N', false],
    ['no', false],
  ])('accepts %s as an answer to whether it should install', async (answer, installs) => {
    await using place = await createWorkplace();
    const { commands, questions } = await place.run({
      argv: ['my-bot', '-t', 'other'],
      answers: ['perhaps', answer],
    });
    expect(questions).toHaveLength(2);
    expect(commands).toHaveLength(installs ? 1 : 0);
  });

  it('does not hide a bug', async () => {
    await using place = await createWorkplace();
    const run = place.run({ argv: [], answers: [] });
    await expect(run).rejects.toThrow('No answer to: Folder? (my-bot)');
  });

  it('writes nothing when Ctrl+C ends a question', async () => {
    await using place = await createWorkplace();
    const { exitCode, stdout } = await place.run({
      argv: [],
      answers: [],
      signal: AbortSignal.abort(),
    });
    expect(exitCode).toBe(130);
    expect(stdout).toContain('Canceled. Nothing was written.');
    expect(await place.names()).toEqual([]);
  });

  it('leaves nothing behind when Ctrl+C ends the writing', async () => {
    await using place = await createWorkplace();
    const { exitCode } = await place.run({
      argv: ['deep/my-bot', '--json'],
      signal: AbortSignal.abort(),
    });
    expect(exitCode).toBe(130);
    expect(await place.names()).toEqual([]);
  });

  it('offers to write the missing files of a folder that is not empty', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'my-bot'));
    await writeFile(join(place.cwd, 'my-bot/notes.txt'), 'mine');
    const ask = (answers: string[]) =>
      place.run({ argv: ['my-bot', '-t', 'other', '--no-install'], answers });

    const canceled = await ask(['']);
    const question =
      'my-bot is not empty: notes.txt\nWrite only files that do not exist yet? (y/N) ';
    expect(canceled.questions).toEqual([question]);
    expect(canceled).toMatchObject({ exitCode: 1, stdout: 'Canceled. Nothing was written.\n' });
    expect(await place.names('my-bot')).toEqual(['notes.txt']);

    expect(await ask(['y'])).toMatchObject({ exitCode: 0 });
    expect(await place.names('my-bot')).toEqual(['notes.txt', 'package.json']);
  });
});
