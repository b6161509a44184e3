import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A library of somebody else, in a folder of its own. */
export interface InstalledPeer {
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** The library that is compared, at the version that the code here was written for. */
export const DISCORD_JS = { name: 'discord.js', version: '14.28.1' } as const;

export interface InstallOptions {
  readonly name: string;
  /** Exact. */
  readonly version: string;
  /** Runs npm in a folder. @defaultValue the npm of this machine */
  readonly npm?: (args: readonly string[], folder: string) => Promise<unknown>;
}

/**
 * Installs a package into a new temporary folder: measured libraries are no part of this workspace.
 * None of their scripts run. Nothing is left behind when that fails.
 */
export async function installPeer(options: InstallOptions): Promise<InstalledPeer> {
  const { name, version, npm = runNpm } = options;
  const folder = await mkdtemp(join(tmpdir(), 'virgule-bench-peer-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await npm(['install', '--save-exact', ...quiet, `${name}@${version}`], folder);
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, close };
}

const runNpm = (args: readonly string[], folder: string): Promise<unknown> =>
  // On Windows npm is a script, which only a shell starts; no argument here holds anything special.
  promisify(execFile)('npm', [...args], { cwd: folder, shell: process.platform === 'win32' });
