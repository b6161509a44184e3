import { spawn } from 'node:child_process';
import { readFile, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onTestFinished, expect, it } from 'vitest';
import { createTestProject } from './test-project.js';
import { until } from './until.js';

const vitest = await realpath(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
);

const FILES = {
  'vitest.config.ts': `
    import { virgule } from 'virgule/vitest';
    export default { plugins: [virgule()] };`,
  'tsconfig.json': '{ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] } } }',
  'lib/word.ts': `export const word = (): string => 'real';`,
  'commands/say.ts': `
    import { word } from '#lib/word.ts';
    export default { description: 'Say', run: () => 'a ' + word() + ' word' };`,
  'commands/count.ts': `
    let count = 0;
    export default { description: 'Count', run: () => String((count += 1)) };`,
  'broken/commands/none.ts': 'export default 7;',
  'commands/half.ts': `
    interface Unused { readonly text: string }
    const never = (): string => {
      return 'never';
    };
    export default {
      description: 'Half',
      run: ({ channelId }: { channelId: string }) => {
        if (channelId === '') return never();
        return 'half';
      },
    };`,
  'commands/fail.ts': `
    export default {
      description: 'Fail',
      run: () => { throw new Error('for a reason'); },
    };`,
};

/** Entry of a file in the report of coverage. */
interface FileCoverage {
  readonly statementMap: Record<string, { readonly start: { readonly line: number } }>;
  /** Number of runs of each statement. */
  readonly s: Record<string, number>;
}

const RUN = `
  import { createTestBot } from 'virgule/testing';
  import { expect, it, vi } from 'vitest';
  async function run(line: string) {
    const bot = await createTestBot({ strict: false });
    return bot.run(line).finally(() => bot.close());
  }`;

/** Returns the files as they are called from the folder above. */
const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));

/** Starts vitest in a folder with these files. */
async function startVitest(files: Readonly<Record<string, string>>, ...flags: string[]) {
  const project = await createTestProject({ ...FILES, ...files });
  await symlink(vitest, join(project.root, 'node_modules', 'vitest'));
  const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), ...flags], {
    cwd: project.root,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...process.env, NO_COLOR: '1', VITEST: undefined, CI: undefined },
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await project[Symbol.asyncDispose]();
  });
  return { project, ended, output: () => output };
}

it('starts the bot of each project of a run, mocks what commands import, shows the stack of a handler, and counts the lines that ran', async () => {
  const tests = {
    'tests/mocked.test.ts': `${RUN}
      vi.mock('../lib/word.ts', () => ({ word: () => 'mocked' }));
      it('mocks', async () => expect((await run('/say')).content).toBe('a mocked word'));`,
    'tests/real.test.ts': `${RUN}
      it('has the real one', async () => expect((await run('/say')).content).toBe('a real word'));
      it('keeps the state of modules until they are reset', async () => {
        const texts = [(await run('/count')).content, (await run('/count')).content];
        vi.resetModules();
        expect([...texts, (await run('/count')).content]).toEqual(['1', '2', '1']);
      });
      it('names the file of a problem', async () => {
        const { message } = await createTestBot({ root: 'broken' }).catch((error) => error);
        expect(message).toMatch(/^\\[E_NO_HANDLER\\] commands\\/none\\.ts .* \\(commands\\/none\\.ts/);
      });
      it('has the matchers', async () => {
        expect(await run('/say')).toHaveReplied('a real word');
        expect(await run('/say')).not.toHaveDeferred();
      });
      it('has a stack', async () => {
        const { error } = await run('/fail');
        expect((error as Error).stack).toMatch(/for a reason\\n.*commands\\/fail\\.ts:4:/);
      });
      it('runs one half', async () => expect((await run('/half')).content).toBe('half'));`,
  };
  const project = (name: string) =>
    `{ plugins: [virgule()], test: { name: '${name}', root: './${name}' } }`;
  const {
    project: { root },
    ended,
    output,
  } = await startVitest(
    {
      ...inFolder('one', { ...FILES, ...tests }),
      'two/commands/who.ts': `export default { description: 'W', run: () => 'two' };`,
      'two/tests/who.test.ts': `${RUN}
        it('is another bot', async () => expect((await run('/who')).content).toBe('two'));`,
      'vitest.config.ts': `
        import { virgule } from 'virgule/vitest';
        export default { test: { projects: [${project('one')}, ${project('two')}] } };`,
    },
    'run',
    '--coverage.enabled',
    '--coverage.reporter=json',
    '--coverage.include=*/commands/*',
  );
  await ended;
  expect(output()).toMatch(/Tests +8 passed \(8\)/);
  const report = JSON.parse(
    await readFile(join(root, 'coverage/coverage-final.json'), 'utf8'),
  ) as Record<string, FileCoverage>;
  const { statementMap = {}, s: counts = {} } = report[join(root, 'one/commands/half.ts')] ?? {};
  const lines = Object.entries(statementMap).map(([id, { start }]) => [
    start.line,
    (counts[id] ?? 0) > 0,
  ]);
  expect(lines.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [3, true],
    [4, false],
    [9, true],
    [9, false],
    [10, true],
  ]);
});

it('runs tests again when a command or what it imports changes', async () => {
  const { project, output } = await startVitest(
    {
      'tests/say.test.ts': `${RUN}
      it('says', async () => expect((await run('/say')).content).toBe('a real word'));`,
    },
    '--watch',
  );
  await until(() => expect(output()).toMatch(/Tests +1 passed[^]*Waiting for file changes/));
  await project.write('commands/say.ts', FILES['commands/say.ts'].replace("'a '", "'the '"));
  await until(() => expect(output()).toMatch(/Received: "the real word"[^]*Watching/));
  await project.write('commands/say.ts', FILES['commands/say.ts']);
  await until(() => expect(output().match(/Tests +1 passed/g)).toHaveLength(2));
  await project.write('lib/word.ts', `export const word = () => 'new';`);
  await until(() => expect(output()).toMatch(/Received: "a new word"/));
});
