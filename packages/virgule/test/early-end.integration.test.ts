import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN } from './running-dev.js';
import { answering, BLOCKING, createTestProject } from './test-project.js';

/** Runs a command in a folder with these files, and returns how it ended. */
async function end(files: Readonly<Record<string, string>>, ...argv: string[]) {
  await using project = await createTestProject({ 'commands/a.ts': answering('a'), ...files });
  const stuck = join(project.root, 'node_modules', 'stuck');
  await mkdir(stuck);
  await writeFile(
    join(stuck, 'package.json'),
    '{ "name": "stuck", "type": "module", "main": "i.js" }',
  );
  await writeFile(join(stuck, 'i.js'), 'await new Promise(() => {});');
  return await new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [BIN, ...argv], { cwd: project.root }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

const EXITS = { 'commands/exits.ts': 'process.exit(0);' };
const HANGS = { 'commands/hangs.ts': 'await new Promise(() => {});' };

describe.concurrent('a command whose process is ended by a file that it loads', () => {
  it.each([
    ['check'],
    ['check', '--json'],
    ['run', '/a'],
    ['build', '--no-types'],
    ['deploy', '--yes'],
    ['doctor'],
  ])('%s %s: names the file, and ends with 1', async (...argv) => {
    const { code, err } = await end(EXITS, ...argv);
    expect(code).toBe(1);
    expect(err).toContain('[E_ENDED_EARLY] commands/exits.ts ended the process with exit code 0.');
  });

  it('reports it as well when a handler ends the process', async () => {
    const files = {
      'commands/dies.ts': `export default { description: 'D', run: () => process.exit(3) };`,
    };
    const { code, err } = await end(files, 'run', '/dies');
    expect(code).toBe(1);
    expect(err).toContain("[E_ENDED_EARLY] The bot's code ended the process with exit code 3.");
  });
});

// At the same time: they wait for seconds until a process counts as blocked.
describe.concurrent('a command that loads a file with a top-level await that never settles', () => {
  it('names the file, and ends with 1', async () => {
    const commands = [['check'], ['run', '/hangs'], ['build', '--no-types'], ['deploy']];
    const ends = await Promise.all(commands.map((argv) => end(HANGS, ...argv)));
    expect(ends.map(({ code }) => code)).toEqual(commands.map(() => 1));
    const naming = ends.map(({ out, err }) => /commands\/hangs\.ts/.exec(out + err)?.[0]);
    expect(naming).toEqual(commands.map(() => 'commands/hangs.ts'));
  });

  it.each([
    ['waits', BLOCKING],
    ['loops', 'for (;;);'],
    ['catches', 'for (;;) try { for (;;); } catch {} finally {}'],
    ['loops in a function of a cycle', `import '../lib/a.js'; export const a = 1;`],
  ])('interrupts a file whose code %s, and checks the others', async (_, text) => {
    const files = {
      'commands/loops.ts': text,
      'commands/other.ts': 'export default 1;',
      'lib/a.ts': `import '../commands/loops.js'; for (;;);`,
    };
    const { code, out, err } = await end(files, 'check');
    expect(code).toBe(1);
    expect(out + err).toMatch(
      /(?:loops|a)\.ts was not loaded within 8 s: it kept the process busy\./,
    );
    expect(out + err).toContain('commands/other.ts');
    expect(out + err).not.toContain('Script execution timed out');
  });

  it('loads files after one that freezes the global object', async () => {
    const command = (first: string): string =>
      `${first} export default { description: 'X', run: () => 'x' };`;
    const files = {
      'commands/a.ts': command('Object.preventExtensions(globalThis);'),
      'commands/b.ts': command(''),
    };
    expect(await end(files, 'check')).toMatchObject({ code: 0 });
  });

  it('names the file that imports a package that never settles', async () => {
    const { code, err } = await end({ 'commands/waits.ts': `import 'stuck';` }, 'check');
    expect(code).toBe(1);
    expect(err).toContain(
      '[E_ENDED_EARLY] "stuck", imported by commands/waits.ts, waits for something',
    );
  });
});
