import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BIN } from './running-dev.js';
import { answering, createTestProject } from './test-project.js';
import { until } from './until.js';

const hasScript = spawnSync('script', ['--version']).status === 0;

/** Starts `virgule dev` on a terminal of the given width. */
async function onTerminal(
  columns: number,
  env: Readonly<Record<string, string>> = {},
  program = `${process.execPath} ${BIN} dev --port 0`,
) {
  const project = await createTestProject({ 'commands/hello.ts': answering('hello') });
  // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
  const { CI: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env;
  const child = spawn(
    'script',
    ['-qefc', `stty cols ${columns} rows 40; exec ${program}`, '/dev/null'],
    { cwd: project.root, env: { ...inherited, TERM: 'xterm-256color', ...env }, stdio: 'pipe' },
  );
  let raw = '';
  child.stdout.on('data', (chunk) => (raw += String(chunk)));
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await project[Symbol.asyncDispose]();
  });
  const text = (): string => stripVTControlCharacters(raw).replaceAll('\r', '');
  const said = (part: string | RegExp) => until(() => expect(text()).toMatch(part));
  return { project, child, ended, text, said, raw: () => raw };
}

describe.skipIf(!hasScript)('virgule dev on a terminal', () => {
  it('listens to keys, and ends with q', async () => {
    const { child, ended, said, raw } = await onTerminal(80);
    await said('h help · r restart · o open · c clear · q quit');
    expect(raw()).toContain('\u001B[');
    child.stdin.write('h');
    await said(/r {2}restarts the process of the bot/);
    child.stdin.write('R\r');
    await said('restarted (manual)');
    child.stdin.write('c');
    await until(() => expect(raw()).toContain('\u001B[2J\u001B[3J\u001B[H'));
    child.stdin.write('q');
    expect(await ended).toBe(0);
  });

  it('prints the colors of packages, and ends with Ctrl+C', async () => {
    const { project, child, ended, said, raw } = await onTerminal(80);
    await said('q quit');
    await project.write('commands/hello.ts', `console.log({ n: 1 }); ${answering('hello')}`);
    await until(() => expect(raw()).toContain('n: \u001B[33m1\u001B[39m'));
    child.stdin.write('\u0003');
    expect(await ended).toBe(0);
  });

  it('writes a reload within 40 columns', async () => {
    const { project, child, ended, text, said } = await onTerminal(40);
    await said('q quit');
    await project.write('commands/hello.ts', answering('new'));
    await said(/↻ commands\/hello\.ts/);
    child.stdin.write('q');
    await ended;
    const wide = text()
      .split('\n')
      .filter((line) => line.length > 40 && !line.includes('http://'));
    expect(wide).toEqual([]);
  });

  it.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CI', { CI: 'true' }],
  ])('obeys %s', async (name, env) => {
    const { child, said, raw } = await onTerminal(80, env);
    await said(name === 'CI' ? 'Save a file to reload it.' : 'q quit');
    // oxlint-disable-next-line no-control-regex -- the escape sequences of colors.
    expect(/\u001B\[\d+m/.test(raw())).toBe(name !== 'NO_COLOR');
    child.kill('SIGTERM');
  });
});
