import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.js';

const FLAGS = {
  json: { type: 'boolean', about: '' },
  'dry-run': { type: 'boolean', about: '' },
  port: { type: 'port', value: 'N', about: '' },
  from: { type: 'string', value: 'FILE', about: '' },
} as const;

const read = (...argv: string[]) => readArguments('deploy', argv, FLAGS);

describe('readArguments', () => {
  it('reads flags and words in any order', () => {
    expect(read('--json', 'one', '--port', '7400', 'two')).toEqual({
      flags: { json: true, port: 7400 },
      words: ['one', 'two'],
    });
  });

  it('takes a value after an equals sign', () => {
    expect(read('--port=0', '--from=a=b').flags).toEqual({ port: 0, from: 'a=b' });
  });

  it('keeps the dashes of a name', () => {
    expect(read('--dry-run').flags).toEqual({ 'dry-run': true });
  });

  it('keeps words as they were typed', () => {
    expect(read('/roll 20', '007', '1e3').words).toEqual(['/roll 20', '007', '1e3']);
  });

  it('takes everything after two dashes as words', () => {
    expect(read('--', '--json').words).toEqual(['--json']);
  });

  it('takes the last value of a flag given twice', () => {
    expect(read('--port', '1', '--port', '2').flags).toEqual({ port: 2 });
  });

  it.each([
    [['--jason'], /no --jason/, 'Did you mean --json?'],
    [['--dryrun'], /no --dryrun/, 'Did you mean --dry-run?'],
    [['--colour'], /no --colour/, 'Run `virgule deploy --help` to list its flags.'],
    [['-x'], /no -x/, 'Run `virgule deploy --help` to list its flags.'],
  ])('refuses %j', (argv, message, hint) => {
    expect(() => read(...argv)).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS', hint }));
    expect(() => read(...argv)).toThrow(message);
  });

  it('treats a flag with a dot as unknown', () => {
    expect(() => read('--json.x')).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
    expect(() => read('--port.x', '1')).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
  });

  it('turns a flag off with --no-, and only one that can be on', () => {
    expect(read('--no-json').flags).toEqual({ json: false });
    expect(read('--json', '--no-json').flags).toEqual({ json: false });
    expect(read('--json=false').flags).toEqual({ json: false });
    expect(read().flags).toEqual({});
    for (const flag of ['--no-port', '--no-from', '--no-jason'])
      expect(() => read(flag)).toThrow(
        expect.objectContaining({
          code: 'E_ARGUMENTS',
          message: expect.stringContaining(`no ${flag}`),
        }),
      );
  });

  it('takes -p as --port where there is one', () => {
    expect(read('-p', '7400').flags).toEqual({ port: 7400 });
    expect(read('-p7400').flags).toEqual({ port: 7400 });
    expect(() => readArguments('list', ['-p', '1'], {})).toThrow(/no -p/);
  });

  it('treats dashes and numbers below zero in words as words', () => {
    expect(read('a-b', '-5', '-').words).toEqual(['a-b', '-5', '-']);
  });

  it.each([['abc'], ['-1'], ['65536'], ['7.5'], ['0x10'], ['']])('refuses %j as a port', (port) => {
    expect(() => read(`--port=${port}`)).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
  });

  it('reads a list behind = only, so that it does not take a word as its value', () => {
    const readNames = (...argv: string[]) =>
      readArguments('x', argv, { 'allow-delete': { type: 'names', about: '' } });
    expect(readNames('--allow-delete', 'old')).toEqual({
      flags: { 'allow-delete': true },
      words: ['old'],
    });
    expect(readNames('--allow-delete=/old, older').flags).toEqual({
      'allow-delete': ['old', 'older'],
    });
    expect(readNames().flags).toEqual({});
  });

  it.each([[''], [','], [' ']])('refuses the empty list %j, which would mean all', (list) => {
    expect(() =>
      readArguments('x', [`--allow-delete=${list}`], {
        'allow-delete': { type: 'names', about: '' },
      }),
    ).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
  });

  it('refuses a text flag without a text', () => {
    expect(() => read('--from')).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
  });

  it('is not confused by names from the prototype', () => {
    expect(() => read('--constructor')).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
    expect(() => read('--toString')).toThrow(expect.objectContaining({ code: 'E_ARGUMENTS' }));
  });
});
