import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace } from './test-io.js';

describe('create-virgule, asking', () => {
  it('asks three things at most and takes the default for an empty line', async () => {
    await using place = await createWorkplace();
    const { exitCode, questions, commands } = await place.run({ argv: [], answers: ['', '', ''] });
    expect(exitCode).toBe(0);
    expect(questions).toEqual([
      'Where? (my-bot) ',
      'Template?\n  1  basic  The sample.\n  2  other  Another sample.\n(basic) ',
      'Install with npm? (Y/n) ',
    ]);
    expect(commands).toEqual([`npm install in ${join(place.cwd, 'my-bot')}`]);
  });

  it('asks nothing that a flag says', async () => {
    await using place = await createWorkplace();
    const { questions } = await place.run({
      argv: ['my-bot', '-t', 'other', '--no-install'],
      answers: [],
    });
    expect(questions).toEqual([]);
    expect(await place.names('my-bot')).toEqual(['package.json']);
  });

  it('takes a template by number or name, and asks again for anything else', async () => {
    await using place = await createWorkplace();
    const { questions, stdout } = await place.run({ argv: ['my-bot'], answers: ['3', '2', 'no'] });
    expect(questions).toHaveLength(3);
    expect(stdout).toContain('"3" is not one of the answers.');
    expect(stdout).toContain('template other');
  });

  it('takes the folder that is typed, without the blanks around it', async () => {
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
  ])('takes %s for an answer to whether it should install', async (answer, installs) => {
    await using place = await createWorkplace();
    const { commands, questions } = await place.run({
      argv: ['my-bot', '-t', 'other'],
      answers: ['perhaps', answer],
    });
    expect(questions).toHaveLength(2);
    expect(commands).toHaveLength(installs ? 1 : 0);
  });

  it('does not hide a fault of its own', async () => {
    await using place = await createWorkplace();
    const run = place.run({ argv: [], answers: [] });
    await expect(run).rejects.toThrow('Nobody answers: Where? (my-bot)');
  });

  it('writes nothing when Ctrl+C ends a question', async () => {
    await using place = await createWorkplace();
    const { exitCode, stdout } = await place.run({
      argv: [],
      answers: [],
      signal: AbortSignal.abort(),
    });
    expect(exitCode).toBe(130);
    expect(stdout).toContain('Cancelled. Nothing was written.');
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

  it('offers to leave, fill up or empty a folder that is not empty', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'my-bot'));
    await writeFile(join(place.cwd, 'my-bot/notes.txt'), 'mine');
    const ask = (answers: string[]) =>
      place.run({ argv: ['my-bot', '-t', 'other', '--no-install'], answers });

    const cancelled = await ask(['']);
    expect(cancelled.questions[0]).toContain('my-bot is not empty: notes.txt\n');
    expect(cancelled.questions[0]).toContain('(1 entry, .git stays)');
    expect(cancelled).toMatchObject({ exitCode: 1, stdout: 'Cancelled. Nothing was written.\n' });
    expect(await place.names('my-bot')).toEqual(['notes.txt']);

    expect(await ask(['m'])).toMatchObject({ exitCode: 0 });
    expect(await place.names('my-bot')).toEqual(['notes.txt', 'package.json']);

    expect(await ask(['empty'])).toMatchObject({ exitCode: 0 });
    expect(await place.names('my-bot')).toEqual(['package.json']);
  });
});
