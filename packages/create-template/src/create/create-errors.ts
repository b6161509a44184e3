import { defineErrors, userErrorByKind } from '@virgule/core/errors';
import { listOf } from '@virgule/core/text';

/** Maximum number of names in a message, which fit into a line of a terminal. */
const MAX_NAMES = 3;

export function listNames(names: readonly string[]): string {
  const hidden = names.length - MAX_NAMES;
  return hidden > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${hidden} more` : listOf(names);
}

/** The error codes of this package. */
export const createErrors = defineErrors({
  // Group: create-virgule
  /**
   * The command line of create-virgule is invalid.
   *
   * create-virgule has no such flag. With npm, flags for create-virgule come after `--`: `npm create virgule@latest
   * my-bot -- --yes`.
   *
   * A flag of create-virgule has an invalid value. The message lists the values that the flag accepts.
   *
   * create-virgule received two folder names. Without quotes, the shell splits a name with a space into two
   * arguments.
   *
   * There is no such template. The hint lists the available templates. `--help` also describes them.
   *
   * The folder name cannot be turned into a package name. The bot is a package and needs a valid npm package name.
   * create-virgule derives it from the folder name: `My Bot` becomes `my-bot`. This folder name contains no
   * character that a package name can use, or npm refuses it: `node_modules` and `favicon.ico`.
   *
   * @example
   * Error [E_CREATE_ARGUMENTS] There is no flag --tempalte.
   * Try:  Did you mean --template? Run create-virgule --help to list all flags.
   *
   * Error [E_CREATE_ARGUMENTS] --pm takes npm, pnpm, yarn or bun, got "cargo".
   * Try:  Run create-virgule --help to list all flags.
   *
   * Error [E_CREATE_ARGUMENTS] Only one folder can be created at a time, got 2: my, bot.
   * Try:  Put quotes around a folder name that contains spaces.
   *
   * Error [E_CREATE_ARGUMENTS] There is no template "music".
   * Try:  Pass one of these with --template: assistant, basic, full, javascript, music, reminders; --bare leaves out the samples of basic.
   *
   * Error [E_CREATE_ARGUMENTS] The folder name "…" cannot be converted to a package name.
   * Try:  Use a name with at least one letter from a to z or one digit, other than node_modules and favicon.ico.
   *
   * @fix
   * - Correct the flag. [All flags](../reference/command-line.md#create-virgule).
   * - Correct the value.
   * - Pass one folder name, in quotes if it contains spaces.
   * - Choose one of them.
   * - Choose a name with at least one letter from a to z or a digit.
   */
  E_CREATE_ARGUMENTS: userErrorByKind<
    | { kind: 'unknown-flag'; flag: string; closest: string | undefined }
    | { kind: 'flag-value'; flag: string; expected: string; saw: string }
    | { kind: 'folders'; folders: readonly string[] }
    | { kind: 'template'; template: string; templates: readonly string[] }
    | { kind: 'name'; folder: string }
  >({
    'unknown-flag': ({ flag, closest }) => [
      `There is no flag ${flag}.`,
      `${closest === undefined ? '' : `Did you mean ${closest}? `}Run create-virgule --help to list all flags.`,
    ],
    'flag-value': ({ flag, expected, saw }) => [
      `${flag} takes ${expected}, got ${saw}.`,
      'Run create-virgule --help to list all flags.',
    ],
    folders: ({ folders }) => [
      `Only one folder can be created at a time, got ${folders.length}: ${folders.join(', ')}.`,
      'Put quotes around a folder name that contains spaces.',
    ],
    template: ({ template, templates }) => [
      `There is no template "${template}".`,
      `Pass one of these with --template: ${templates.join(', ')}; --bare leaves out the samples of basic.`,
    ],
    name: ({ folder }) => [
      `The folder name "${folder}" cannot be converted to a package name.`,
      'Use a name with at least one letter from a to z or one digit, other than node_modules and favicon.ico.',
    ],
  }),
  /**
   * The bot cannot be created in this folder.
   *
   * A file with the name of the new folder exists. The path of the new folder is a file or a broken symbolic link.
   *
   * The folder is not empty. create-virgule does not write into a folder that already contains files unless you pass
   * `--merge`. Files that a new repository or an editor creates, such as `README.md` and `.gitignore`, are no
   * conflict, and are kept.
   *
   * @example
   * Error [E_CREATE_FOLDER] my-bot is a file, not a folder.
   * Try:  Choose another folder name, or move the file.
   *
   * Error [E_CREATE_FOLDER] my-bot is not empty: it contains notes.txt and src.
   * Try:  Choose another folder, or pass --merge to write only files that do not exist yet.
   *
   * @fix
   * - Choose another name, or move the file.
   * - Choose another folder.
   * - `--merge` writes only the files that do not exist yet.
   */
  E_CREATE_FOLDER: userErrorByKind<
    | { kind: 'file'; folder: string }
    | { kind: 'not-empty'; folder: string; names: readonly string[] }
  >({
    file: ({ folder }) => [
      `${folder} is a file, not a folder.`,
      'Choose another folder name, or move the file.',
    ],
    'not-empty': ({ folder, names }) => [
      `${folder} is not empty: it contains ${listNames(names)}.`,
      'Choose another folder, or pass --merge to write only files that do not exist yet.',
    ],
  }),
  /**
   * A step of creating the bot failed.
   *
   * The files of the new bot could not be written. The operating system rejected a write; the message ends with its
   * reason. create-virgule removed the partly written files.
   *
   * The packages of the new bot could not be installed. All files of the bot were written; only the installation
   * failed or was interrupted. The output of the package manager shows the reason.
   *
   * @example
   * Error [E_CREATE_FAILED] The files could not be written to my-bot: EACCES: permission denied, mkdtemp '/srv/.create-virgule-XXXXXX'.
   * Try:  Check the permissions of the folder and the free disk space, then try again.
   *
   * Error [E_CREATE_FAILED] "npm install" failed in my-bot; the files of the bot are complete.
   * Try:  Run `cd my-bot && npm install` to try again.
   *
   * @fix
   * - Check the permissions and the free disk space.
   * - Fix the cause, then run the command in the hint.
   */
  E_CREATE_FAILED: userErrorByKind<
    | { kind: 'write'; folder: string; reason: string }
    | { kind: 'install'; command: string; folder: string; next: string }
  >({
    write: ({ folder, reason }) => [
      `The files could not be written to ${folder}: ${reason}.`,
      'Check the permissions of the folder and the free disk space, then try again.',
    ],
    install: ({ command, folder, next }) => [
      `"${command}" failed in ${folder}; the files of the bot are complete.`,
      `Run \`${next}\` to try again.`,
    ],
  }),
});
