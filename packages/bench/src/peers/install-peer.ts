import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A third-party library in a separate folder. */
export interface InstalledPeer {
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** The library to compare with, at the version that this code supports. */
export const DISCORD_JS = { name: 'discord.js', version: '14.28.1' } as const;

export interface InstallOptions {
  /** With exact versions: `discord.js@14.28.1`. */
  readonly packages: readonly string[];
  /** Runs npm in a folder. @defaultValue the npm of this machine */
  readonly npm?: (args: readonly string[], folder: string) => Promise<unknown>;
}

/**
 * Installs packages into a temporary folder, because measured libraries are not part of this workspace.
 * Install scripts do not run. If it fails, the folder is deleted.
 */
export async function installPeer(options: InstallOptions): Promise<InstalledPeer> {
  const { packages, npm = runNpm } = options;
  const folder = await mkdtemp(join(tmpdir(), 'virgule-bench-peer-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await npm(['install', '--save-exact', ...quiet, ...packages], folder);
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, close };
}

const runNpm = (args: readonly string[], folder: string): Promise<unknown> =>
  // On Windows, npm is a script, which only a shell starts. No argument contains special characters.
  promisify(execFile)('npm', [...args], { cwd: folder, shell: process.platform === 'win32' });
