import { createErrors } from './create-errors.js';
import type { CreateIo, CommandLine } from './create-io.js';
import { installCommand, type PackageManager } from './package-manager.js';

/** The folder of the new bot, and the command that changes to it. */
interface NewBot {
  readonly path: string;
  readonly label: string;
  /** The `cd` command, or nothing in the current folder. */
  readonly enter: readonly string[];
}

export interface FollowUpOptions {
  readonly io: CreateIo;
  readonly bot: NewBot;
  /** Destination of the output of the programs. */
  readonly output: 'stdout' | 'stderr';
}

/**
 * Runs `git init` in the folder.
 *
 * @throws VirguleError `E_CREATE_FAILED`.
 */
export async function initGit({ io, bot }: FollowUpOptions): Promise<void> {
  const command: CommandLine = { program: 'git', args: ['init', '--quiet'] };
  const code = await io.runCommand(command, { cwd: bot.path, output: 'stderr' });
  if (code !== 0) {
    throw createErrors.E_CREATE_FAILED({
      kind: 'git',
      folder: bot.label,
      next: [...bot.enter, 'git init'].join(' && '),
    });
  }
}

/**
 * Installs the packages of the bot.
 *
 * @throws VirguleError `E_CREATE_FAILED`, also after Ctrl+C.
 */
export async function installPackages(
  { io, bot, output }: FollowUpOptions,
  packageManager: PackageManager,
): Promise<void> {
  const command = installCommand(packageManager);
  const code = await io.runCommand(command, { cwd: bot.path, output });
  if (code !== 0) {
    const text = [command.program, ...command.args].join(' ');
    throw createErrors.E_CREATE_FAILED({
      kind: 'install',
      command: text,
      folder: bot.label,
      next: [...bot.enter, text].join(' && '),
    });
  }
}
