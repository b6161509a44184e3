import { describe, expect, it } from 'vitest';
import { readStartArguments, startUsage, syncOf } from './start-arguments.js';

const NOTHING = {
  check: false,
  help: false,
  mode: 'production',
  sync: false,
  allowDelete: false,
  role: undefined,
  wait: false,
  preview: false,
  health: undefined,
  operation: undefined,
};

describe('readStartArguments', () => {
  it.each([
    [[], {}],
    [['--check'], { check: true }],
    [['--help'], { help: true }],
    [['--sync'], { sync: true }],
    [['--mode', 'staging'], { mode: 'staging' }],
    [['--mode'], { mode: '' }],
    [['--sync', '--allow-delete'], { sync: true, allowDelete: true }],
    [['--sync', '--allow-delete=old, /older,'], { sync: true, allowDelete: ['old', 'older'] }],
    [['--role', 'worker', '--wait'], { role: 'worker', wait: true }],
    [['--role'], { role: '' }],
    [['--preview'], { preview: true }],
    [['--health', '9090'], { health: '9090' }],
    [['--health=[::1]:0'], { health: '[::1]:0' }],
    [['--health'], { health: '' }],
    // Arguments after `--` are for the bot's own code.
    [['--sync', '--', 'word', '--verbose'], { sync: true }],
    // An empty variable of a shell.
    [['', '--sync'], { sync: true }],
    [
      ['storage', 'set', 'a', '1', '--ttl', '1d', '--mode', 'staging'],
      {
        mode: 'staging',
        operation: { name: 'storage', words: ['set', 'a', '1'], flags: { json: false, ttl: '1d' } },
      },
    ],
    // The flags may come first.
    [
      ['--mode', 'staging', 'task', 'list'],
      {
        mode: 'staging',
        operation: { name: 'task', words: ['list'], flags: { json: false, ttl: undefined } },
      },
    ],
    [
      ['failed', 'list', '--json'],
      { operation: { name: 'failed', words: ['list'], flags: { json: true, ttl: undefined } } },
    ],
  ])('reads %j', (argv, expected) => {
    expect(readStartArguments(argv)).toEqual({ ...NOTHING, ...expected });
  });

  it.each([
    [['tasks', 'list'], 'Did you mean `node dist/bot.mjs task`?'],
    [
      ['--allow-delete', 'old', '--', 'word'],
      'Run `node dist/bot.mjs --help` to list all commands.',
    ],
  ])('refuses %j, so that no second bot starts', (argv, hint) => {
    const message = `There is no command "${argv.find((word) => !word.startsWith('-'))}".`;
    expect(() => readStartArguments(argv)).toThrowError(expect.objectContaining({ message, hint }));
  });

  it.each([
    [['--health-port', '9090'], '--health-port', 'Did you mean --health?'],
    [['--sync', '--rle=worker'], '--rle', 'Did you mean --role?'],
    [['--constructor'], '--constructor', 'Run `node dist/bot.mjs --help` to list its flags.'],
    [['-x'], '-x', 'Run `node dist/bot.mjs --help` to list its flags.'],
  ])('refuses an unknown flag in %j', (argv, flag, hint) => {
    expect(() => readStartArguments(argv)).toThrowError(
      expect.objectContaining({
        code: 'E_ARGUMENTS',
        message: `\`node dist/bot.mjs\` has no ${flag}.`,
        hint,
      }),
    );
  });
});

describe('startUsage', () => {
  it('names the flags, and the variables of the framework and of the bot', () => {
    const usage = startUsage(['DATABASE_URL']);
    for (const name of Object.keys(readStartArguments([]))) {
      if (name === 'operation') continue;
      expect(usage).toContain(`--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
    }
    for (const name of [
      'storage list',
      'task list',
      'failed list',
      '--health [HOST:]PORT',
      'BOT_TOKEN ',
      'BOT_GATEWAY_URL ',
      '  DATABASE_URL\n',
    ])
      expect(usage).toContain(name);
    expect(startUsage([])).not.toContain('Of this bot');
  });
});

describe('syncOf', () => {
  it.each([
    [[], false, { sync: 'check' }],
    [['--allow-delete'], false, { sync: 'check' }],
    [['--sync'], false, { sync: 'apply', allowDelete: [] }],
    [['--sync', '--allow-delete=old'], false, { sync: 'apply', allowDelete: ['old'] }],
    [['--sync', '--allow-delete'], false, { sync: 'apply-with-deletions' }],
    // In the wrong folder a bot has no commands: it would delete all of them.
    [['--sync', '--allow-delete'], true, { sync: 'apply', allowDelete: [] }],
    [['--sync', '--allow-delete=old'], true, { sync: 'apply', allowDelete: ['old'] }],
  ])('of %j is, for a bot without commands (%j), %j', (argv, isEmpty, expected) => {
    expect(syncOf(readStartArguments(argv), isEmpty)).toEqual(expected);
  });
});

it.each([[''], [','], [' / ']])(
  'refuses the empty list %j, which would mean all or none',
  (list) => {
    expect(() => readStartArguments(['--sync', `--allow-delete=${list}`])).toThrow(
      expect.objectContaining({ code: 'E_ARGUMENTS' }),
    );
  },
);
