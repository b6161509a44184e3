import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import zod from 'zod/package.json' with { type: 'json' };
import { createTestProject } from './test-project.js';

const ZOD = `zod-${zod.version}.cjs`;
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Installs the built package in a project, and returns a function that runs it there. */
async function install(files: Readonly<Record<string, string>>) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const folder = join(project.root, 'node_modules', 'virgule');
  await project.remove('node_modules/virgule');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(PACKAGE, part), join(folder, part), {
      recursive: true,
      filter: (file) => !file.endsWith('.cache'),
    });
  symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'));
  const cache = join(folder, 'dist', '.cache');
  const bin = join(folder, 'bin', 'virgule.mjs');
  const run = (...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
      cwd: project.root,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const cached = () =>
    Object.fromEntries(readdirSync(cache).map((name) => [name, readFileSync(join(cache, name))]));
  return { root: project.root, folder, bin, run, cache, cached };
}

const COMMAND = `
  import * as z from 'zod';
  import { UserError } from 'virgule';
  import { fail, count } from 'shared';
  export default {
    description: 'Counts',
    options: z.object({ n: count }),
    run: ({ options: { n } }) => (n > 2 ? fail(UserError) : 'n=' + n),
  };`;
/** A package that imports our packages and zod by itself: its copies are others. */
const SHARED = `
  import { UserError } from 'virgule';
  import * as z from 'zod';
  export const count = z.int().min(1).max(5);
  export function fail(Other) {
    const error = new UserError('too many');
    if (!(error instanceof Other)) throw new Error('another class');
    throw error;
  }`;
const FILES = {
  'commands/count.ts': COMMAND,
  'node_modules/shared/package.json': '{"name":"shared","type":"module","exports":"./index.js"}',
  'node_modules/shared/index.js': SHARED,
};

describe('the command line with compiled code of an earlier process', () => {
  it('answers the same, and writes the code once', async () => {
    const { run, cached } = await install(FILES);
    const lines = [
      ['--version'],
      ['check'],
      ['run', '/count 2'],
      ['run', '/count 3'],
      ['run', '/count 9'],
      ['deploy', '--help'],
    ];
    const first = lines.map((argv) => run(...argv));
    expect(first.slice(0, 4)).toEqual([
      { status: 0, stdout: '0.1.0\n', stderr: '' },
      { status: 0, stdout: '✓ No problems: 1 command, 0 event handlers.\n', stderr: '' },
      { status: 0, stdout: 'n=2\n', stderr: '' },
      { status: 0, stdout: 'too many\n', stderr: '' },
    ]);
    const written = cached();
    const names = ['check', 'run'].flatMap((name) => [`${name}-cli.cjs`, `${name}-${ZOD}`]);
    expect(new Set(Object.keys(written))).toEqual(
      new Set([ZOD, '--version-cli.cjs', 'deploy-cli.cjs', ...names]),
    );
    expect(lines.map((argv) => run(...argv))).toEqual(first);
    expect(cached()).toEqual(written);
  });

  it('accepts the code of `virgule dev`, which changes flags of V8 when it runs', async () => {
    const { bin, root, cached } = await install(FILES);
    const runDev = async () => {
      const child = spawn(process.execPath, [bin, 'dev', '--port', '0'], { cwd: root });
      onTestFinished(() => void child.kill('SIGKILL'));
      for await (const text of child.stdout) if (String(text).includes('is ready')) break;
      child.kill('SIGINT');
      await once(child, 'close');
    };
    await runDev();
    const written = cached();
    expect(Object.keys(written)).toEqual(['dev-cli.cjs', `dev-${ZOD}`, ZOD]);
    await runDev();
    expect(cached()).toEqual(written);
  });

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['other', () => Buffer.from('(function (require, module) { module.exports = {}; })')],
    ['cut', (code: Buffer) => code.subarray(0, code.length >> 1)],
    ['damaged', (code: Buffer) => Buffer.from(code).fill(7, code.length >> 1)],
  ])('replaces %s files', async (_, damage) => {
    const { run, cache, cached } = await install(FILES);
    const first = run('run', '/count 2');
    const written = cached();
    for (const [name, code] of Object.entries(written))
      writeFileSync(join(cache, name), damage(code));
    // A damaged zod is deleted at first, and written again by the next run.
    for (const _of of ['first', 'second']) expect(run('run', '/count 2')).toEqual(first);
    expect(cached()[ZOD]).toEqual(written[ZOD]);
    expect(Object.keys(cached())).toEqual(Object.keys(written));
  });

  it('runs without the cache if Node.js has no checksum', async () => {
    const { run, cache } = await install(FILES);
    const source = `import zlib from 'node:zlib';
      import { syncBuiltinESMExports } from 'node:module';
      delete zlib.crc32;
      syncBuiltinESMExports();`;
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(source)}`);
    expect(run('run', '/count 2')).toEqual({ status: 0, stdout: 'n=2\n', stderr: '' });
    vi.unstubAllEnvs();
    expect(existsSync(cache)).toBe(false);
  });

  it.each([
    ['4.3.6', false],
    ['4.4.0', true],
    ['5.0.0', true],
  ])('runs with the cache if the copies of zod %s share settings', async (version, isKept) => {
    const { folder, run, cache } = await install(FILES);
    const modules = join(folder, 'node_modules');
    rmSync(modules);
    mkdirSync(join(modules, 'zod'), { recursive: true });
    for (const part of ['.', 'zod'])
      for (const name of readdirSync(join(PACKAGE, 'node_modules', part)))
        if (name !== 'zod' && name !== 'package.json')
          symlinkSync(join(PACKAGE, 'node_modules', part, name), join(modules, part, name));
    writeFileSync(join(modules, 'zod', 'package.json'), JSON.stringify({ ...zod, version }));
    expect(run('run', '/count 2')).toEqual({ status: 0, stdout: 'n=2\n', stderr: '' });
    expect(existsSync(join(cache, `zod-${version}.cjs`))).toBe(isKept);
  });

  it('runs without a file that can be written', async () => {
    const { run, cache } = await install(FILES);
    writeFileSync(cache, '');
    expect(run('run', '/count 2')).toEqual({ status: 0, stdout: 'n=2\n', stderr: '' });
  });
});
