import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BIN } from './running-dev.js';
import { answering, createTestProject } from './test-project.js';

/**
 * Writes the URLs of all files that the process of the command line has loaded, and the names of all functions that have run,
 * when the process ends.
 */
const RECORDER = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  import { Session } from 'node:inspector';
  const session = new Session();
  const urls = [];
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
  session.post('Debugger.enable');
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true });
  const ran = [];
  const readFunctions = (_, { result }) => {
    for (const { functions } of result)
      for (const { functionName, ranges } of functions) if (ranges[0].count > 0) ran.push(functionName);
  };
  const out = process.env.LOADED_FILES;
  if (process.argv[1]?.endsWith('virgule.mjs'))
    process.on('exit', () => {
      session.post('Profiler.takePreciseCoverage', readFunctions);
      writeFileSync(out, JSON.stringify({ urls, ran }));
    });`)}`;

/** Runs a command until it ends, or prints a line with \`until\`. Returns the packages that it loads. */
async function loadedBy(argv: readonly string[], env: NodeJS.ProcessEnv = {}, until?: string) {
  const project = await createTestProject({
    'commands/hello.ts': answering('hello'),
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
  });
  const folder = await mkdtemp(join(tmpdir(), 'virgule-loaded-'));
  onTestFinished(async () => {
    await project[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const child = spawn(process.execPath, ['--import', RECORDER, BIN, ...argv], {
    cwd: project.root,
    env: { ...env, LOADED_FILES: join(folder, 'files.json') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (until !== undefined && line.includes(until)) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const text = await readFile(join(folder, 'files.json'), 'utf8');
  const { urls, ran } = JSON.parse(text) as Record<'urls' | 'ran', string[]>;
  const files = urls.filter((url) => /^(?:file:)?\//.test(url));
  const packages = new Set([
    ...files.map((url) => /.*\/(?:node_modules|packages)\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]),
    // In the script of all our packages, a function named by its file runs each module.
    ...ran.map((name) => /^\.\.\/(\w+)\/src\//.exec(name)?.[1]),
  ]);
  return { code, packages, count: files.length };
}

// Counts instead of times, which depend on the machine. A file costs about half a millisecond.
describe('the command line', () => {
  it.each([
    [['--version'], 40],
    [['--help'], 70],
    [['check', '--help'], 50],
  ])('loads only its own code for %j', async (argv, most) => {
    const { code, packages, count } = await loadedBy(argv);
    expect(code).toBe(0);
    for (const name of [
      'zod',
      'esbuild',
      'undici',
      'ws',
      'pino',
      'chokidar',
      'client',
      'simulator',
    ])
      expect(packages).not.toContain(name);
    expect(count).toBeLessThanOrEqual(most);
  });

  it('checks a project without what only a running bot needs', async () => {
    const { code, packages, count } = await loadedBy(['check']);
    expect(code).toBe(0);
    expect(packages).toContain('esbuild');
    for (const name of ['undici', 'ws', 'pino', 'chokidar', 'simulator', 'yargs-parser'])
      expect(packages).not.toContain(name);
    expect(count).toBeLessThanOrEqual(190);
  });

  it('runs a line without a socket and a watcher', async () => {
    const { code, packages } = await loadedBy(['run', '/hello']);
    expect(code).toBe(0);
    for (const name of ['undici', 'ws', 'chokidar']) expect(packages).not.toContain(name);
  });

  it('serves the simulator of dev without a compiler and an HTTP client', async () => {
    const { code, packages } = await loadedBy(
      ['dev', '--json', '--port', '0'],
      {},
      '"type":"ready"',
    );
    expect(code).toBe(0);
    for (const name of ['esbuild', 'es-module-lexer', 'get-tsconfig', 'undici'])
      expect(packages).not.toContain(name);
  });

  it('serves dev --live without a compiler and a simulator', async () => {
    await using platform = await startSimulator();
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: platform.baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const { code, packages } = await loadedBy(['dev', '--json', '--live'], env, '"type":"ready"');
    expect(code).toBe(0);
    expect(packages).toContain('client');
    for (const name of ['esbuild', 'es-module-lexer', 'get-tsconfig', 'simulator'])
      expect(packages).not.toContain(name);
  });
});
