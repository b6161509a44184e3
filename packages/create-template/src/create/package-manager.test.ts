import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  adaptFile,
  detectPackageManager,
  packageManagerFiles,
  scriptCommand,
  type PackageManager,
} from './package-manager.js';

describe('detectPackageManager', () => {
  it.each([
    ['pnpm/10.34.9 npm/? node/v20.20.2 linux x64', 'pnpm'],
    ['yarn/4.9.1 npm/? node/v20.20.2 linux x64', 'yarn'],
    ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bun'],
    ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', 'npm'],
    ['cnpm/9.0.0 npm/? node/v20.20.2', 'npm'],
    ['', 'npm'],
    [undefined, 'npm'],
  ])('reads %s as %s', (userAgent, name) => {
    expect(detectPackageManager(userAgent)).toBe(name);
  });
});

describe('scriptCommand', () => {
  it('is what a person would type', () => {
    expect(scriptCommand('npm', 'dev')).toBe('npm run dev');
    expect(scriptCommand('bun', 'dev')).toBe('bun run dev');
    expect(scriptCommand('pnpm', 'dev')).toBe('pnpm dev');
    expect(scriptCommand('yarn', 'dev')).toBe('yarn dev');
    expect(scriptCommand('pnpm', 'deploy')).toBe('pnpm run deploy');
  });
});

describe('packageManagerFiles', () => {
  it('lets pnpm, and only pnpm, run the install script of esbuild', () => {
    const folder = emptyFolder();
    expect(packageManagerFiles('pnpm', folder).map(({ path }) => path)).toEqual([
      'pnpm-workspace.yaml',
    ]);
    expect(packageManagerFiles('npm', folder)).toEqual([]);
    expect(packageManagerFiles('bun', folder)).toEqual([]);
  });

  it('does not separate a bot from a pnpm workspace that it is in', () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'pnpm-workspace.yaml'), '');
    expect(packageManagerFiles('pnpm', join(folder, 'bots/mine'))).toEqual([]);
  });

  it('makes yarn install into node_modules', () => {
    expect(packageManagerFiles('yarn', emptyFolder())).toEqual([
      { path: '.yarnrc.yml', content: 'nodeLinker: node-modules\n' },
    ]);
  });
});

const TEMPLATES = fileURLToPath(new URL('../../../../templates', import.meta.url));
const read = (template: string, path: string) => readFileSync(join(TEMPLATES, template, path));

describe.each(readdirSync(TEMPLATES))('adaptFile, for the template %s', (template) => {
  const original = (path: string): string => read(template, path).toString();
  const adapted = (path: string, packageManager: PackageManager, userAgent?: string): string =>
    adaptFile(
      { path, content: read(template, path) },
      packageManager,
      userAgent,
    ).content.toString();

  it.each([
    ['pnpm', ['`pnpm dev`', '`pnpm run deploy`', '`pnpm test`', '`pnpm start`']],
    ['yarn', ['`yarn dev`', '`yarn deploy`', '`yarn test`', '`yarn start`']],
    ['bun', ['`bun run dev`', '`bun run deploy`', '`bun run test`', '`bun run start`']],
  ] as const)('names the scripts of %s in the README', (packageManager, commands) => {
    const text = adapted('README.md', packageManager);
    for (const command of commands) expect(text).toContain(command);
    expect(text).not.toMatch(/`npm /);
  });

  it.each([
    [
      'pnpm',
      'pnpm@10',
      'pnpm-workspace.yaml* pnpm-lock.yaml*',
      'pnpm-lock.yaml',
      '--frozen-lockfile',
    ],
    ['yarn', '@yarnpkg/cli-dist@4', '.yarnrc.yml yarn.lock*', 'yarn.lock', '--immutable'],
    ['bun', 'bun@1', 'bun.lock*', 'bun.lock', '--frozen-lockfile'],
  ] as const)(
    'installs with %s in the image and in CI',
    (name, program, copied, lockfile, flag) => {
      const agent = 'pnpm/10.34.9 npm/? node/v20.20.2 linux x64';
      const install = `if [ -f ${lockfile} ]; then ${name} install ${flag}; else ${name} install; fi`;
      const image = adapted('Dockerfile', name, agent);
      expect(image).toContain(
        `RUN npm install --global ${program}\nCOPY package.json ${copied} ./\nRUN ${install}\n`,
      );
      expect(image).toContain(`RUN ${scriptCommand(name, 'build')}\n`);
      expect(image).not.toMatch(/npm ci|npm run/);
      const ci = adapted('.github/workflows/ci.yml', name, agent);
      const steps = [...ci.matchAll(/- run: (.*)/g)].map(([, command]) => command);
      const scripts = [
        ...original('.github/workflows/ci.yml').matchAll(
          /npm (?:run (?=\w+$))?(typecheck|lint|test|build)$/gm,
        ),
      ];
      expect(steps).toEqual([
        `npm install --global ${program}`,
        install,
        ...scripts.map(([, script = '']) => scriptCommand(name, script)),
      ]);
    },
  );

  it('leaves everything as it is for npm', () => {
    for (const path of ['README.md', 'Dockerfile', '_gitignore'])
      expect(adapted(path, 'npm')).toBe(read(template, path).toString());
  });
});

describe('adaptFile', () => {
  it('keeps what yarn writes out of git', () => {
    const file = { path: '.gitignore', content: 'dist/\n' };
    expect(adaptFile(file, 'yarn').content).toBe('dist/\n.yarn/\n.pnp.*\n');
    expect(adaptFile(file, 'pnpm').content).toBe('dist/\n');
  });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-manager-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
