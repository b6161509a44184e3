import { resolve } from 'node:path';
import { chooseFolder, chooseTemplate, confirm, mayWrite } from './choices.js';
import { createErrors } from './create-errors.js';
import type { CreateIo } from './create-io.js';
import type { CreateFlags } from './flags.js';
import {
  adaptFile,
  detectPackageManager,
  packageManagerFiles,
  scriptCommand,
} from './package-manager.js';
import { projectName } from './project-name.js';
import { inspectTarget } from './target-folder.js';
import { listTemplates, readTemplate } from './templates.js';
import { writeProject } from './write-project.js';

export type Decisions = Exclude<Awaited<ReturnType<typeof decide>>, 'canceled'>;

/** Takes each decision from the flags, the user at the terminal, or the defaults. */
export async function decide(flags: CreateFlags, io: CreateIo) {
  const { dev = false, json = false } = flags;
  const isInteractive = io.isTerminal && !isCi(io.env) && !json;
  const terminal = isInteractive && !flags.yes ? io : undefined;
  const userAgent = io.env['npm_config_user_agent'];
  const packageManager = flags.pm ?? detectPackageManager(userAgent);
  // Windows uses another variable for the home folder.
  const home = io.env['HOME'] ?? io.env['USERPROFILE'] ?? io.home;
  const typed = await chooseFolder(flags, terminal);
  // Expands `~` as a shell does, because the shell has not seen an answer or a quoted argument.
  const folder = home ? typed.replace(/^~(?=[\\/]|$)/, () => home) : typed;
  const name = projectName(resolve(io.cwd, folder));
  const template = await chooseTemplate(flags, await listTemplates(io.templatesFolder), terminal);
  const files = [
    ...(await readTemplate(template, name, flags.bare)).map((file) =>
      adaptFile(file, packageManager, userAgent),
    ),
    ...packageManagerFiles(packageManager, resolve(io.cwd, folder)),
  ];
  const target = await inspectTarget(io.cwd, folder);
  if (!(await mayWrite(flags, target, terminal))) return 'canceled';
  const install =
    flags.install ??
    (dev ||
      (terminal
        ? await confirm(terminal, `Install with ${packageManager}?`, true)
        : isInteractive));
  const start = scriptCommand(packageManager, 'dev');
  return { target, name, template, files, packageManager, install, dev, start, json };
}

export type CreateResult = Awaited<ReturnType<typeof scaffold>>;

/**
 * Writes the bot, then installs its packages if requested.
 *
 * @throws VirguleError `E_CREATE_FAILED`, also after Ctrl+C while packages are installed.
 */
export async function scaffold(decisions: Decisions, io: CreateIo) {
  const { target, packageManager, install: installed, dev, start, name, template } = decisions;
  const plan = await writeProject(decisions, io.signal);
  const enter = target.path === io.cwd ? [] : [`cd ${shellWord(target.label)}`];
  const folder = target.label;
  const { packages } = plan;
  const missing = packages.length > 0 ? `add ${packages.join(' ')}` : 'install';
  const command = `${packageManager} ${missing}`;
  const again = [...enter, command].join(' && ');
  if (installed && (await runIn(decisions, io, command)) !== 0)
    throw createErrors.E_CREATE_FAILED({ kind: 'install', command, folder, next: again });
  return {
    /** Absolute path. */
    folder: target.path,
    name,
    template: template.name,
    packageManager,
    installed,
    plan,
    next: dev ? [] : [...enter, ...(installed ? [] : [command]), start],
  };
}

/** Runs a program in the folder of the bot. Resolves with its exit code. With `--json`, its output goes to stderr. */
export const runIn = ({ target, json }: Decisions, io: CreateIo, command: string) =>
  io.runCommand(command, { cwd: target.path, output: json ? 'stderr' : 'stdout' });

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

/** Returns whether this is a CI system. CI systems set `CI` to various values; `CI=false` disables the detection. */
const isCi = ({ CI }: CreateIo['env']): boolean => CI !== undefined && CI !== '' && CI !== 'false';
