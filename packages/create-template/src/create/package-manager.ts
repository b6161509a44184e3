import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TemplateFile } from './templates.js';

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

export const isPackageManager = (name: string): name is PackageManager =>
  PACKAGE_MANAGERS.some((known) => known === name);

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
/** Matches the step of the CI that installs with npm, with its comment. */
const NPM_STEP = /^ +# With a lockfile[^]*?npm install; fi$/m;

/** The package on npm, its major version by default, the lockfile, other files and the flag to install as the lockfile says. */
const OTHERS = {
  pnpm: ['pnpm', '12', 'pnpm-lock.yaml', 'pnpm-workspace.yaml*', '--frozen-lockfile'],
  yarn: ['@yarnpkg/cli-dist', '4', 'yarn.lock', '.yarnrc.yml', '--immutable'],
  bun: ['bun', '1', 'bun.lock', '', '--frozen-lockfile'],
} as const;

/**
 * Converts a file of a template, which is written for npm, for another package manager.
 *
 * @param userAgent as in `detectPackageManager`: the files install the major version that it names.
 */
export function adaptFile(
  { path, content }: TemplateFile,
  packageManager: PackageManager,
  userAgent = '',
): TemplateFile {
  if (packageManager === 'npm') return { path, content };
  const [name, latest, lockfile, files, frozen] = OTHERS[packageManager];
  const [, version = latest] = new RegExp(`^${packageManager}/(\\d+)`).exec(userAgent) ?? [];
  const setUp = `npm install --global ${name}@${version}`;
  const plain = `${packageManager} install`;
  const install = `if [ -f ${lockfile} ]; then ${plain} ${frozen}; else ${plain}; fi`;
  const text = content.toString();
  switch (path) {
    case 'README.md':
      return { path, content: withScripts(text, packageManager, '(?<=`)', '(?=`)') };
    case 'Dockerfile': {
      const lines = [
        `RUN ${setUp}`,
        `COPY package.json ${[files, `${lockfile}*`].filter(Boolean).join(' ')} ./`,
        `RUN ${install}`,
        'COPY . .',
        `RUN ${scriptCommand(packageManager, 'build')}`,
      ];
      return { path, content: text.replace(NPM_INSTALL, lines.join('\n')) };
    }
    case '.github/workflows/ci.yml': {
      const step = `      - run: ${setUp}\n      # With a lockfile, exactly its versions.\n      - run: ${install}`;
      const adapted = text.replace(NPM_STEP, step);
      return { path, content: withScripts(adapted, packageManager, '(?<=run: )', '$') };
    }
    case '.gitignore':
      return { path, content: packageManager === 'yarn' ? `${text}.yarn/\n.pnp.*\n` : content };
    default:
      return { path, content };
  }
}

/** Replaces the commands that run scripts with npm, between two patterns. */
const withScripts = (text: string, packageManager: PackageManager, before: string, after: string) =>
  text.replaceAll(
    new RegExp(`${before}npm (?:run (\\w+)|(test|start))${after}`, 'gm'),
    (_, script?: string, short = '') => scriptCommand(packageManager, script ?? short),
  );
