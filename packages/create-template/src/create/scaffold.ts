import { resolve } from 'node:path';
import { chooseForce, chooseTemplate } from './choices.js';
import type { CreateIo } from './create-io.js';
import type { CreateFlags, Force } from './flags.js';
import { initGit, installPackages } from './follow-up.js';
import {
  adaptFile,
  detectPackageManager,
  packageManagerFiles,
  scriptCommand,
  type PackageManager,
} from './package-manager.js';
import { projectName } from './project-name.js';
import { askFolder, askInstall } from './questions.js';
import type { CreateResult } from './report.js';
import { assertMayBeEmptied, inspectTarget, type TargetFolder } from './target-folder.js';
import { listTemplates, readTemplate, type TemplateFile } from './templates.js';
import { planFiles, writeProject } from './write-project.js';

/** Everything that is decided before the first file is written. */
export interface Decisions {
  readonly target: TargetFolder;
  readonly name: string;
  readonly template: string;
  readonly files: readonly TemplateFile[];
  readonly force: Force | undefined;
  readonly packageManager: PackageManager;
  readonly install: boolean;
  readonly dev: boolean;
  readonly git: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

const DEFAULT_FOLDER = 'my-bot';

/** Takes each decision from the flags, the user at the terminal, or the defaults. */
export async function decide(flags: CreateFlags, io: CreateIo): Promise<Decisions | 'canceled'> {
  const isInteractive = flags.interactive && io.isTerminal && !isCi(io.env) && !flags.json;
  const terminal = isInteractive && !flags.yes ? io : undefined;
  const packageManager =
    flags.packageManager ?? detectPackageManager(io.env['npm_config_user_agent']);
  // Windows has another name for it.
  const home = io.env['HOME'] ?? io.env['USERPROFILE'] ?? io.home;
  const typed =
    flags.folder ?? (terminal ? await askFolder(terminal, DEFAULT_FOLDER) : DEFAULT_FOLDER);
  // As a shell does, which has not seen an answer or a quoted argument.
  const folder = home ? typed.replace(/^~(?=[\\/]|$)/, () => home) : typed;
  const name = projectName(resolve(io.cwd, folder));
  const template = await chooseTemplate(flags, await listTemplates(io.templatesFolder), terminal);
  const files = [
    ...(await readTemplate(template, name)).map((file) => adaptFile(file, packageManager)),
    ...packageManagerFiles(packageManager, resolve(io.cwd, folder)),
  ];
  const target = await inspectTarget(io.cwd, folder);
  const force = await chooseForce(flags, target, terminal);
  if (force === 'cancel') return 'canceled';
  if (force === 'empty') await assertMayBeEmptied(target, io.cwd, home);
  return {
    target,
    name,
    template: template.name,
    files,
    force,
    packageManager,
    install:
      flags.install ??
      (flags.dev || (terminal ? await askInstall(terminal, packageManager) : isInteractive)),
    dev: flags.dev,
    git: flags.git,
    dryRun: flags.dryRun,
    json: flags.json,
  };
}

/** Writes the bot, then runs git and the package manager if requested. */
export async function scaffold(decisions: Decisions, io: CreateIo): Promise<CreateResult> {
  const { target, files, force, packageManager, dryRun } = decisions;
  const plan = dryRun
    ? await planFiles(target, files, force)
    : await writeProject({ target, files, force, signal: io.signal });
  const git = decisions.git && !dryRun;
  const installed = decisions.install && !dryRun;
  const enter = enterCommand(target, io.cwd);
  const bot = { path: target.path, label: target.label, enter };
  const followUp = { io, bot, output: decisions.json ? 'stderr' : 'stdout' } as const;
  if (git) await initGit(followUp);
  if (installed) await installPackages(followUp, packageManager);
  return {
    folder: target.path,
    name: decisions.name,
    template: decisions.template,
    packageManager,
    installed,
    git,
    dryRun,
    plan,
    next:
      decisions.dev && !dryRun
        ? []
        : [
            ...enter,
            ...(installed ? [] : [`${packageManager} install`]),
            scriptCommand(packageManager, 'dev'),
          ],
  };
}

/** Starts the bot if requested. Resolves with the exit code. */
export async function startDev(decisions: Decisions, io: CreateIo): Promise<number> {
  const { dev, dryRun, packageManager, target, json } = decisions;
  if (!dev || dryRun) return 0;
  const [program = '', ...args] = scriptCommand(packageManager, 'dev').split(' ');
  return io.runCommand({ program, args }, { cwd: target.path, output: json ? 'stderr' : 'stdout' });
}

/** Returns the `cd` command to the folder, or nothing for the current folder. */
function enterCommand({ path, label }: TargetFolder, cwd: string): readonly string[] {
  if (path === cwd) return [];
  return [`cd ${shellWord(label)}`];
}

/**
 * Quotes a word for a shell. Double quotes are valid in every shell, but some characters keep their meaning
 * in them.
 */
function shellWord(text: string): string {
  if (!/^~|[^\w./~-]/.test(text)) return text;
  // An interactive bash replaces `!` with the history, except before a space, `=`, `(` and the closing quote.
  return /["$\\`]|!(?=[^\s=(])/.test(text)
    ? `'${text.replaceAll("'", String.raw`'\''`)}'`
    : `"${text}"`;
}

/** Returns whether this is a CI system. They set CI to various values; `CI=false` disables it. */
function isCi({ CI }: CreateIo['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false';
}
