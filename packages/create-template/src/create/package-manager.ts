import type { CommandLine } from './create-io.js';
import type { TemplateFile } from './templates.js';

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

export function isPackageManager(name: string): name is PackageManager {
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

export function installCommand(packageManager: PackageManager): CommandLine {
  return { program: packageManager, args: ['install'] };
}

/** Returns the command that runs a script of package.json. */
export function scriptCommand(packageManager: PackageManager, script: string): string {
  const run = packageManager === 'npm' || packageManager === 'bun' ? 'run ' : '';
  return `${packageManager} ${run}${script}`;
}

/** Returns the files that a bot needs only with this package manager. */
export function packageManagerFiles(packageManager: PackageManager): readonly TemplateFile[] {
  if (packageManager !== 'pnpm') return [];
  // pnpm runs only install scripts that are allowed; esbuild has one.
  return [{ path: 'pnpm-workspace.yaml', content: 'allowBuilds:\n  esbuild: true\n' }];
}
