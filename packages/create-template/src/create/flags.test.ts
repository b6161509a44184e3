import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HELP_TEXT, parseFlags } from './flags.js';
import { describeTemplates, listTemplates } from './templates.js';

const refused = (code: string, message: string) => expect.objectContaining({ code, message });

it('describes flags, and templates in a numbered list, in lines that fit into a terminal', async () => {
  const folder = fileURLToPath(new URL('../../../../templates', import.meta.url));
  const templates = describeTemplates(await listTemplates(folder));
  const lines = [...HELP_TEXT.split('\n'), ...templates.map((line) => `  1  ${line}`)];
  expect(lines.filter((line) => line.length >= 80)).toEqual([]);
});

describe('parseFlags', () => {
  it('has no values without arguments', () => {
    expect(parseFlags([])).toEqual({});
  });

  it('parses every flag', () => {
    const line = 'my-bot -t basic --pm pnpm -y --install --dev --merge --json -h -v';
    expect(parseFlags(line.split(' '))).toEqual({
      folder: 'my-bot',
      template: 'basic',
      pm: 'pnpm',
      yes: true,
      install: true,
      dev: true,
      merge: true,
      json: true,
      help: true,
      version: true,
    });
  });

  it('takes the last of a flag and its --no- form', () => {
    expect(parseFlags(['--install', '--no-install']).install).toBe(false);
    expect(parseFlags(['--no-install', '--install']).install).toBe(true);
    expect(parseFlags(['--dev', '--no-dev']).dev).toBe(false);
  });

  it('takes everything after -- as the folder', () => {
    expect(parseFlags(['--', '--odd']).folder).toBe('--odd');
  });

  it.each([
    ['--tempalte', 'Did you mean --template? Run create-virgule --help to list all flags.'],
    ['--instal', 'Did you mean --install? Run create-virgule --help to list all flags.'],
    ['--no-json', 'Did you mean --json? Run create-virgule --help to list all flags.'],
    ['--frobnicate', 'Run create-virgule --help to list all flags.'],
  ])('refuses %s and names the nearest flag', (flag, hint) => {
    expect(() => parseFlags([flag])).toThrow(
      expect.objectContaining({
        code: 'E_CREATE_ARGUMENTS',
        message: `There is no flag ${flag}.`,
        hint,
      }),
    );
  });

  it.each([
    ['--pm', '--pm takes npm, pnpm, yarn or bun, got nothing.'],
    ['--merge=all', '--merge takes no value, got "all".'],
    ['--template=', '--template takes the name of a template, got an empty value.'],
    ['--template --yes', '--template takes the name of a template, got nothing.'],
    ['-t', '-t takes the name of a template, got nothing.'],
    ['--pm cargo', '--pm takes npm, pnpm, yarn or bun, got "cargo".'],
    ['--yes=no', '--yes takes no value, got "no".'],
  ])('refuses %s', (line, message) => {
    expect(() => parseFlags(line.split(' '))).toThrow(refused('E_CREATE_ARGUMENTS', message));
  });

  it('refuses two folders', () => {
    expect(() => parseFlags(['my', 'bot'])).toThrow(
      refused('E_CREATE_ARGUMENTS', 'Only one folder can be created at a time, got 2: my, bot.'),
    );
  });
});
