import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createTestIo } from '../../test/test-io.js';
import { answering, createTestProject } from '../../test/test-project.js';
import { CLI_COMMANDS } from './cli-commands.js';
import { run } from './command-line.js';
import { version } from '../terminal/version.js';

async function virgule(...argv: string[]) {
  const io = createTestIo({ cwd: tmpdir() });
  const code = await run(argv, io);
  return { code, out: io.out, err: io.err };
}

const COMMANDS = Object.keys(CLI_COMMANDS);

describe('virgule', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']], [['help', '-h']]])(
    'lists its commands for %j',
    async (argv) => {
      const { code, out } = await virgule(...argv);
      expect(code).toBe(0);
      for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    },
  );

  it.each(COMMANDS)('explains %s with its flags and examples', async (command) => {
    const { code, out, err } = await virgule(command, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: virgule ${command}`);
    expect(out).toMatch(/Examples:\n {2}\S/);
  });

  it.each([
    ['deploy', '-h'],
    ['help', 'deploy'],
    ['deploy', '--json', '-h'],
  ])('explains a command for %s %s', async (...argv) => {
    expect(await virgule(...argv)).toEqual(await virgule('deploy', '--help'));
  });

  it('refuses help about an unknown command', async () => {
    const { code, err } = await virgule('help', 'delpoy');
    expect(code).toBe(1);
    expect(err).toContain('Did you mean `virgule deploy`?');
  });

  it('runs in the folder of --cwd', async () => {
    await using project = await createTestProject({ 'commands/hello.ts': answering('hello') });
    const io = createTestIo({ cwd: tmpdir(), columns: 80 });
    expect(await run(['check', '--routes', '--json', '--cwd', project.root], io)).toBe(0);
    expect(JSON.parse(io.out)).toMatchObject({ routes: { commands: [{ name: 'hello' }] } });
    const relative = createTestIo({ cwd: join(project.root, 'commands') });
    expect(await run(['check', '--routes', '--cwd', '..'], relative)).toBe(0);
    expect(relative.out).toContain('/hello');
  });

  it('refuses a --cwd that is no folder', async () => {
    const { code, err } = await virgule('check', '--cwd', 'nowhere');
    expect(code).toBe(1);
    expect(err).toContain('[E_ARGUMENTS] --cwd takes an existing folder, saw "nowhere".');
  });

  it.each(['--version', '-v', '-V'])('prints its version for %s', async (flag) => {
    expect(await virgule(flag)).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('refuses an unknown command with the one that was meant', async () => {
    const { code, out, err } = await virgule('delpoy');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Error [E_ARGUMENTS] There is no command "delpoy".');
    expect(err).toContain('Try:  Did you mean `virgule deploy`?');
  });

  it.each(['constructor', '__proto__', 'toString'])('knows no command %s', async (name) => {
    expect((await virgule(name)).err).toContain('E_ARGUMENTS');
  });

  it('refuses an unknown flag', async () => {
    const { code, err } = await virgule('deploy', '--dryrun');
    expect(code).toBe(1);
    expect(err).toContain('Did you mean --dry-run?');
  });

  it('refuses flags that contradict each other, and starts nothing', async () => {
    const { code, out, err } = await virgule('dev', '--live', '--fresh');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('[E_ARGUMENTS] `virgule dev` does not take --live and --fresh together.');
    expect(err).toContain('Try:  Leave out one of --live and --fresh.');
  });

  it('lines its tables up', async () => {
    const { out } = await virgule('--help');
    const rows = out.split('\n').filter((line) => line.startsWith('  '));
    expect(rows).toHaveLength(COMMANDS.length);
    const starts = rows.map(
      (row) => /^ {2}\S+( \[?"\S+"…?\]?|(?: [A-Z]+)+)? +/.exec(row)?.[0].length,
    );
    expect(new Set(starts).size).toBe(1);
    expect(rows.every((row) => row.length <= 100)).toBe(true);
  });

  it('shows what a flag takes', async () => {
    const { out } = await virgule('dev', '--help');
    expect(out).toMatch(/^ {2}-p, --port N {6}Listen on this port/m);
    expect(out).toMatch(/^ {2}--json {12}Print one JSON object per line$/m);
    expect(out).toMatch(/^ {2}-h, --help {8}Show this text$/m);
  });

  it.each([40, 60, 80, 200])('keeps its help to %i columns', async (columns) => {
    for (const argv of [['--help'], ...COMMANDS.map((command) => [command, '--help'])]) {
      const io = createTestIo({ cwd: tmpdir(), columns });
      expect(await run(argv, io)).toBe(0);
      // A line to type is not broken: it would not work any more.
      const lines = io.out.split('\n').filter((line) => !/^( {2}|Usage: |Run `)virgule/.test(line));
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it.each(COMMANDS)('says in the help of %s what its exit codes mean', async (command) => {
    const { out } = await virgule(command, '--help');
    expect(out).toMatch(/Exit codes:\n {2}0 +\S.*\n {2}1 +\S/);
    const endsWith0 = ['dev', 'simulator', 'start'].includes(command);
    const interrupted = endsWith0 ? 'a second Ctrl+C' : 'interrupted by Ctrl+C or SIGTERM';
    expect(out).toContain(`\n  130  ${interrupted}\n`);
  });

  it.each([
    ['chekc', 'check'],
    ['strat', 'start'],
    ['docter', 'doctor'],
  ])('guesses that %s is %s', async (typed, meant) => {
    expect((await virgule(typed)).err).toContain(`Did you mean \`virgule ${meant}\`?`);
  });

  it.each(['check', 'doctor'])('guesses the flag of %s that was meant', async (command) => {
    const { code, out, err } = await virgule(command, '--jsno');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`[E_ARGUMENTS] \`virgule ${command}\` has no --jsno.`);
    expect(err).toContain('Did you mean --json?');
  });

  it('shows help whatever else is wrong', async () => {
    expect(await virgule('deploy', '--nonsense', '-h')).toMatchObject({ code: 0, err: '' });
  });

  it('treats --help after two dashes as a word', async () => {
    const { code, out, err } = await virgule('run', 'a', '--', '--help');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('[E_ARGUMENTS] `virgule run` takes one line in quotes');
  });

  it.each(['dev', 'check', 'doctor', 'deploy', 'build', 'start', 'simulator'])(
    'refuses words that %s would pass over',
    async (command) => {
      const { code, out, err } = await virgule(command, 'my-bot', 'prod');
      expect({ code, out }).toEqual({ code: command === 'start' ? 78 : 1, out: '' });
      expect(err).toContain(
        `[E_ARGUMENTS] \`virgule ${command}\` takes flags only, saw my-bot prod.`,
      );
    },
  );

  it('colors errors only when allowed', async () => {
    const plain = await virgule('nope');
    const io = createTestIo({ cwd: tmpdir(), color: true });
    await run(['nope'], io);
    expect(plain.err).not.toContain('\u001B');
    expect(io.err).toContain('\u001B[1m\u001B[31mError [E_ARGUMENTS]');
    expect(stripVTControlCharacters(io.err)).toBe(plain.err);
  });

  it('prints no stack for a user error', async () => {
    expect((await virgule('nope')).err).not.toMatch(/^\s+at .*\.(ts|js):\d+/m);
  });
});
