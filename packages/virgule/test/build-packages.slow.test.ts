import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { envOf, soon, spawnBuilt, type BuiltBot } from './built-bot.js';
import { createTestIo } from './test-io.js';
import { createTestProject, type TestProject } from './test-project.js';

/** Packages that cannot be bundled, each for a reason of its own. Exact: a test fails by our changes, not by theirs. */
const PACKAGES = {
  // Compiles on install, which takes minutes: here without its binary.
  'better-sqlite3': '12.11.1',
  // Platform packages.
  sharp: '0.35.5',
  '@libsql/client': '0.18.0',
  // Files next to their code.
  cowsay: '1.6.0',
  figlet: '1.12.0',
  // Workers, and a package that is named only at run time.
  pino: '10.4.0',
  'pino-pretty': '13.2.0',
} as const;

const command = (imports: string, run: string): string => `
  import { defineCommand } from 'virgule';
  ${imports}
  export default defineCommand({ description: 'Test', run: async () => ${run} });`;

const FILES = {
  'package.json': JSON.stringify({ name: 'bot', type: 'module', dependencies: PACKAGES }),
  'commands/cow.ts': command(`import * as cowsay from 'cowsay';`, `cowsay.say({ text: 'moo' })`),
  'commands/banner.ts': command(
    `import figlet from 'figlet';`,
    `figlet.textSync('Hi').includes('|') ? 'drawn' : 'empty'`,
  ),
  'commands/image.ts': command(
    `import sharp from 'sharp';`,
    `{
      const image = sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } });
      const { width, height } = await sharp(await image.png().toBuffer()).metadata();
      return width + 'x' + height;
    }`
      .replace(/^/, '(async () => ')
      .concat(')()'),
  ),
  'commands/query.ts': command(
    `import { createClient } from '@libsql/client';`,
    `String((await createClient({ url: ':memory:' }).execute('SELECT 6 * 7')).rows[0]?.[0])`,
  ),
  'commands/lite.ts': command(`import Database from 'better-sqlite3';`, `typeof Database`),
  'commands/log.ts': command(
    `import pino from 'pino';
     const log = pino({ transport: { target: 'pino-pretty', options: { colorize: false } } });`,
    `{ log.info('written by a transport'); return 'logged'; }`
      .replace(/^/, '(() => ')
      .concat(')()'),
  ),
};

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(`npm ${args.join(' ')} failed. Is the registry reachable?\n${output}`);
}

describe('a bot with packages that cannot be bundled', () => {
  let project: TestProject;
  let server: string;
  let platform: Simulator;
  let bot: BuiltBot;
  const io = { build: createTestIo({ cwd: '' }) };

  beforeAll(async () => {
    project = await createTestProject(FILES);
    const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    const installed = await realpath(await mkdtemp(join(tmpdir(), 'virgule-packages-')));
    await npm(installed, 'install', '--ignore-scripts', ...names);
    await cp(join(installed, 'node_modules'), join(project.root, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await rm(installed, { recursive: true });

    io.build = createTestIo({ cwd: project.root });
    const code = await run(['build'], io.build);
    if (code !== 0) throw new Error(io.build.err);

    // The server has nothing but dist/, and installs what it names.
    server = await realpath(await mkdtemp(join(tmpdir(), 'virgule-server-')));
    await cp(join(project.root, 'dist'), join(server, 'dist'), { recursive: true });
    await npm(join(server, 'dist'), 'install', '--omit=dev', '--ignore-scripts');
    platform = await startSimulator();
    bot = spawnBuilt(server, envOf(platform), ['--sync']);
    await soon(() => {
      if (!platform.snapshot().bot.connected) throw new Error('not connected yet');
    });
  }, 300_000);

  afterAll(async () => {
    bot?.child.kill('SIGKILL');
    await platform?.close();
    await project?.[Symbol.asyncDispose]();
    if (server) await rm(server, { recursive: true, force: true });
  });

  const answerOf = async (name: string): Promise<string> => {
    const before = platform.messages().length;
    platform.run({ rawInput: `/${name}` });
    await soon(() => expect(platform.messages().length).toBeGreaterThan(before));
    return platform.messages().at(-1)?.content ?? '';
  };

  it('leaves them out in exact versions, with what a string of the project names', async () => {
    const { '@libsql/client': _, ...direct } = PACKAGES;
    const manifest = JSON.parse(
      await readFile(join(project.root, 'dist', 'package.json'), 'utf8'),
    ) as { readonly dependencies: object };
    expect(manifest.dependencies).toEqual({
      ...direct,
      libsql: expect.stringMatching(/^0\.5\.\d+$/),
    });
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(io.build.out).toContain(`${name}@${String(version)}`);
  });

  it.each([
    ['cow', 'moo'],
    ['banner', 'drawn'],
    ['image', '3x2'],
    ['query', '42'],
    ['lite', 'function'],
  ])('answers /%s on a server that holds only dist/', async (name, answer) => {
    expect(await answerOf(name)).toContain(answer);
  });

  it('runs a transport in its worker', async () => {
    expect(await answerOf('log')).toBe('logged');
    await bot.said(/INFO.*written by a transport/);
  });
});
