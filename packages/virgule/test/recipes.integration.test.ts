import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplesOf } from './guide-samples.js';
import { createTestProject, type TestProject } from './test-project.js';
import { BOT_TSCONFIG, declareTypes, DECLARING, typeCheck } from './type-check.js';

const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
const require = createRequire(import.meta.url);

/** Returns the names of the pages of a folder, in order, without its index. */
const pagesOf = (folder: string): string[] =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''))
    .sort();

/** Returns the files that remain of the bot that the first step of the tutorial creates with `--bare`. */
function startOfTutorial(): Record<string, string> {
  const page = readFileSync(join(docs, 'tutorial/1-options.md'), 'utf8');
  expect(page).toMatch(/ --bare .* delete `commands\/hello\.ts`.* Replace `tests\/bot\.test\.ts`/s);
  const folder = join(docs, '../templates/basic');
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** The bot of each recipe and each migration, and that of the tutorial after each step, by their folders. */
function botsOfDocs(): Record<string, Record<string, string>> {
  const bots: Record<string, Record<string, string>> = {};
  for (const folder of ['recipes', 'migrate']) {
    for (const page of pagesOf(folder)) {
      const samples = samplesOf(`../${folder}/${page}`);
      // Some are about settings of a machine, and have no code.
      if (Object.keys(samples).length > 0) bots[`${folder}-${page}`] = samples;
    }
  }
  let steps = startOfTutorial();
  for (const page of pagesOf('tutorial')) {
    steps = { ...steps, ...samplesOf(`../tutorial/${page}`) };
    bots[`tutorial-${page}`] = steps;
  }
  return bots;
}

/**
 * Returns the folder of the program in which the types of a bot are checked. Bots that declare nothing global share
 * one, which saves half of the time; the steps of the tutorial declare the same.
 */
const groupOf = (name: string, samples: Readonly<Record<string, string>>): string => {
  if (name.startsWith('tutorial-')) return 'types-tutorial';
  const isGlobal = Object.values(samples).some((text) => DECLARING.test(text));
  return isGlobal ? `types-${name}` : 'types-recipes';
};

/** Runs the tests of these bots with vitest. */
function runTests(root: string): Promise<string> {
  const vitest = dirname(require.resolve('vitest/package.json'));
  const child = spawn(process.execPath, [join(vitest, 'vitest.mjs'), 'run'], {
    cwd: root,
    // oxlint-disable-next-line virgule/outside-world -- a program of its own gets this one's environment.
    env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

describe('the recipes, the migrations and the tutorial', () => {
  const bots = botsOfDocs();
  const names = Object.keys(bots);
  const groups: Record<string, string[]> = {};
  for (const name of names) (groups[groupOf(name, bots[name] ?? {})] ??= []).push(name);
  let project: TestProject;

  beforeAll(async () => {
    const files: Record<string, string> = {};
    for (const [name, samples] of Object.entries(bots)) {
      for (const [file, text] of Object.entries(samples)) files[`${name}/${file}`] = text;
    }
    for (const [group, folders] of Object.entries(groups)) {
      const include = [...folders, `${folders.at(-1)}/.virgule/types.d.ts`].map(
        (folder) => `../${folder}`,
      );
      files[`${group}/tsconfig.json`] = JSON.stringify({ ...JSON.parse(BOT_TSCONFIG), include });
    }
    const references = Object.keys(groups).map((path) => ({ path }));
    project = await createTestProject({
      ...files,
      'tsconfig.json': JSON.stringify({ files: [], references }),
      'vitest.config.ts': `export default {
        // The timeout is for tests that hang: a busy machine is slow.
        test: { isolate: false, maxWorkers: 2, pool: 'forks', setupFiles: ['enter.ts'],
          testTimeout: 60_000 } };`,
      // Each test runs in the folder of its bot, as if it were the only one.
      'enter.ts': `
        import { join } from 'node:path';
        import { matchers } from 'virgule/testing';
        import { expect } from 'vitest';
        // As the plugin in the vitest.config.ts of each template does.
        expect.extend(matchers);
        process.chdir(join(expect.getState().testPath, '../..'));`,
    });
    for (const folders of Object.values(groups)) {
      const last = folders.at(-1) ?? '';
      declareTypes(join(project.root, last), Object.keys(bots[last] ?? {}));
    }
    const packages: Record<string, string> = {
      vitest: dirname(require.resolve('vitest/package.json')),
      'chrono-node': join(dirname(require.resolve('chrono-node')), '../..'),
      '@virgule/voice': join(docs, '../packages/voice'),
      libsql: join(docs, '../templates/reminders/node_modules/libsql'),
      undici: join(docs, '../packages/client/node_modules/undici'),
      ai: join(docs, '../packages/runtime/node_modules/ai7'),
    };
    const runtime = join(docs, '../packages/runtime/node_modules');
    for (const name of ['api', 'context-async-hooks', 'sdk-trace-base'])
      packages[`@opentelemetry/${name}`] = join(runtime, '@opentelemetry', name);
    for (const scope of ['@virgule', '@opentelemetry'])
      await mkdir(join(project.root, 'node_modules', scope));
    for (const [name, folder] of Object.entries(packages))
      await symlink(await realpath(folder), join(project.root, 'node_modules', name));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('are bots with a test each', () => {
    const untested = names.filter(
      (name) => !Object.keys(bots[name] ?? {}).some((file) => file.endsWith('.test.ts')),
    );
    expect([names.length > 30, untested]).toEqual([true, []]);
  });

  it('show units that systemd takes', async ({ skip }) => {
    skip(spawnSync('systemd-analyze', ['--version']).status !== 0, 'systemd-analyze is missing');
    const page = readFileSync(join(docs, 'recipes/systemd.md'), 'utf8');
    const [, name = '', unit = ''] = /^```ini\n# (\S+)\n([^]*?)^```$/m.exec(page) ?? [];
    // The program has to exist where it is verified.
    await project.write(name, unit.replace('/usr/bin/node', process.execPath));
    const file = join(project.root, name.replace('@.', '@quiz.'));
    await symlink(name, file);
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    // Other units of this machine may be complained about as well.
    expect([status, stderr.split('\n').filter((line) => line.includes('bot@'))]).toEqual([0, []]);
  });

  it('compile', async () => {
    expect(await typeCheck(project.root, '--build')).toEqual({ code: 0, output: '' });
  });

  it('pass the tests that they show', async () => {
    const output = await runTests(project.root);
    expect(output).toMatch(/Test Files +\d+ passed \(\d+\)\n/);
    const shown = ['recipes', 'migrate', 'tutorial'].flatMap((folder) =>
      pagesOf(folder).flatMap((page) => Object.keys(samplesOf(`../${folder}/${page}`))),
    );
    process.stdout.write(`Docs: ${shown.length} whole files run, as ${names.length} bots.\n`);
  });
});
