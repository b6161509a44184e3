import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemplateFile } from './templates.js';

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

function isPackageManager(name: string): name is PackageManager {
  return PACKAGE_MANAGERS.some((known) => known === name);
}

/**
 * Returns the package manager that started this process, according to `npm_config_user_agent`
 * (`pnpm/10.34.9 npm/? node/v20.20.2 linux x64`); npm by default.
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split('/')[0] ?? '';
  return isPackageManager(name) ? name : 'npm';
}

/** Returns the command that runs a script of package.json. */
export function scriptCommand(packageManager: PackageManager, script: string): string {
  // `pnpm deploy` is a command of pnpm itself.
  const isOwn = packageManager === 'pnpm' && script === 'deploy';
  const run = packageManager === 'npm' || packageManager === 'bun' || isOwn ? 'run ' : '';
  return `${packageManager} ${run}${script}`;
}

/**
 * Returns the files that a bot needs only with this package manager.
 *
 * @param folder absolute path of the bot.
 */
export function packageManagerFiles(
  packageManager: PackageManager,
  folder: string,
): readonly TemplateFile[] {
  if (packageManager === 'yarn') {
    // With the default linker, TypeScript 7 finds no types.
    return [{ path: '.yarnrc.yml', content: 'nodeLinker: node-modules\n' }];
  }
  // In a workspace, this file would separate the bot from it.
  if (packageManager !== 'pnpm' || isBelowWorkspace(folder)) return [];
  // pnpm runs only install scripts that are allowed; esbuild has one.
  return [{ path: 'pnpm-workspace.yaml', content: 'allowBuilds:\n  esbuild: true\n' }];
}

function isBelowWorkspace(folder: string): boolean {
  const parent = dirname(folder);
  if (parent === folder) return false;
  return existsSync(join(parent, 'pnpm-workspace.yaml')) || isBelowWorkspace(parent);
}

/** Matches the lines of a Dockerfile that install and build with npm. */
const NPM_INSTALL = /^COPY package\*\.json[^]*?^RUN npm run build$/m;

/** Converts a file of a template, which is written for npm, for another package manager. */
export function adaptFile(
  { path, content }: TemplateFile,
  packageManager: PackageManager,
): TemplateFile {
  if (packageManager === 'npm') return { path, content };
  const text = content.toString();
  if (path === 'README.md') {
    const adapted = text.replaceAll(
      /(?<=`)npm (?:run (?=\w+`)|(?=(?:test|start)`))(\w+)/g,
      (_, script: string) => scriptCommand(packageManager, script),
    );
    return { path, content: adapted };
  }
  if (path === 'Dockerfile')
    return { path, content: text.replace(NPM_INSTALL, installLines(packageManager)) };
  if (path === '.gitignore' && packageManager === 'yarn')
    return { path, content: `${text}.yarn/\n.pnp.*\n` };
  return { path, content };
}

function installLines(packageManager: Exclude<PackageManager, 'npm'>): string {
  const files = {
    pnpm: 'pnpm-workspace.yaml* pnpm-lock.yaml*',
    yarn: '.yarnrc.yml yarn.lock*',
    bun: 'bun.lock*',
  }[packageManager];
  return [
    // The image has npm and the first version of yarn; corepack runs the version that package.json names.
    packageManager === 'yarn'
      ? 'RUN corepack enable'
      : `RUN npm install --global ${packageManager}`,
    `COPY package.json ${files} ./`,
    `RUN ${packageManager} install`,
    'COPY . .',
    `RUN ${scriptCommand(packageManager, 'build')}`,
  ].join('\n');
}
