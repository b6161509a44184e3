import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The oldest TypeScript that the docs name, and the last of each major version since. */
const VERSIONS = ['5.4.5', '5.9.3', '6.0.3', '7.0.2'];
const RESOLUTIONS = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;
const PACKAGES = ['client', 'core', 'redis', 'runtime', 'simulator', 'virgule', 'voice'];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Compiles the types of what is built, as users of strict projects do, who check libraries as well. */
describe('the types of every entry', { timeout: 300_000 }, () => {
  let folder: string;
  const entries: string[] = [];

  async function link(target: string, name: string): Promise<void> {
    const path = join(folder, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'virgule-types-')));
    for (const name of PACKAGES) {
      const path = join(root, 'packages', name);
      const text = await readFile(join(path, 'package.json'), 'utf8');
      const manifest = JSON.parse(text) as Manifest;
      await link(path, manifest.name);
      const names = Object.keys(manifest.exports).filter((each) => !each.endsWith('.json'));
      entries.push(...names.map((each) => manifest.name + each.slice(1)));
    }
    await link(join(root, 'packages/virgule/node_modules/zod'), 'zod');
    await link(join(root, 'node_modules/@types/node'), '@types/node');
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const imports = entries.map((entry, n) => `export type * as e${n} from '${entry}';`);
    await writeFile(join(folder, 'all.ts'), imports.join('\n'));
    const aliases = VERSIONS.map((version) => `ts-${version}@npm:typescript@${version}`);
    await mkdir(join(folder, 'compilers'));
    await execute('npm', ['install', '--prefix', 'compilers', '--no-audit', ...aliases], {
      cwd: folder,
    });
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(VERSIONS.flatMap((version) => RESOLUTIONS.map((each) => [version, ...each] as const)))(
    'compile with TypeScript %s, module %s and moduleResolution %s',
    async (version, module, moduleResolution) => {
      expect(entries.length).toBeGreaterThan(14);
      const config = `tsconfig.${version}-${moduleResolution}.json`;
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2023', 'esnext.disposable'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
        verbatimModuleSyntax: true,
        isolatedModules: true,
        skipLibCheck: false,
        noEmit: true,
      };
      await writeFile(join(folder, config), JSON.stringify({ compilerOptions, files: ['all.ts'] }));
      const tsc = join(folder, 'compilers/node_modules', `ts-${version}`, 'bin/tsc');
      const result = await execute(process.execPath, [tsc, '-p', config], { cwd: folder }).catch(
        ({ stdout }: { readonly stdout: string }) => ({ stdout }),
      );
      expect(result.stdout).toBe('');
    },
  );
});
