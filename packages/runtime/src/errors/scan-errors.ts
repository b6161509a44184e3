import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';
import { listOf } from '@virgule/core/text';
import { numberOf } from './runtime-errors.js';

/** The errors of the folders of a project, apart from the others: a built bot has read its folders. */
export const scanErrors = defineErrors({
  // Group: Files and names
  /**
   * The folder has no commands.
   *
   * A bot is a folder with files in `commands/`, `events/` or `tasks/`, or in these folders of `src/`. None of them
   * contains a file here, so there is nothing to run.
   *
   * @example
   * Error [E_NO_COMMANDS_FOLDER] There is no commands folder: no file below commands/ or src/commands/.
   *   at commands
   * Try:  Create commands/hello.ts, or run this in the folder that holds your bot.
   *
   * @fix
   * - Run the command in the folder of your bot, or add `--cwd` with its path.
   * - Or create a first command, such as `commands/hello.ts`. Files that start with `_` or `.`, tests and `.d.ts`
   *   files do not count.
   */
  E_NO_COMMANDS_FOLDER: userError<object>(() => [
    'There is no commands folder: no file below commands/ or src/commands/.',
    'Create commands/hello.ts, or run this in the folder that holds your bot.',
  ]),
  /**
   * The commands folder contains no command.
   *
   * This is a warning of `virgule check`; the bot runs, but has no commands. The folder contains files, but each of
   * them is private, a test, or not a script.
   *
   * @example
   * Warning [E_NO_COMMANDS] commands/ contains no command.
   *   at commands
   * Try:  Create commands/hello.ts. Names that start with "_" or "." are private, and tests are skipped.
   *
   * @fix
   * - Create a command, or remove the leading underscore from the name of a file that should be one.
   * - [Files are routes](../guide/commands.md#files-are-routes).
   */
  E_NO_COMMANDS: userError<{ folder: string }>(({ folder }) => [
    `${folder}/ contains no command.`,
    `Create ${folder}/hello.ts. Names that start with "_" or "." are private, and tests are skipped.`,
  ]),
  /**
   * Two files or folders have the same purpose.
   *
   * Both possible folders for commands or events contain files. Virgule reads commands from `commands/` or from
   * `src/commands/`, never from both. The same applies to `events/`. The message names the folder that is read.
   *
   * Two paths differ only in upper and lower case. On Linux these are two files. On macOS and Windows they are the
   * same file, so the bot would behave differently there.
   *
   * Two files define the same special file. A folder can have one `_middleware` and one `_error` file. Two files
   * with different extensions are usually a source and its compiled output.
   *
   * @example
   * Error [E_FILE_CONFLICT] Both commands/ and src/commands/ hold files; only commands/ is read.
   *   at src/commands
   * Try:  Move the files of src/commands/ into commands/, or the other way around.
   *
   * Error [E_FILE_CONFLICT] commands/Play.ts and commands/play.ts differ only in upper and lower case.
   *   at commands/play.ts
   * Try:  Rename one: macOS and Windows treat them as the same path.
   *
   * Error [E_FILE_CONFLICT] Two files define the _middleware of one folder: commands/_middleware.js and commands/_middleware.ts.
   *   at commands/_middleware.ts
   * Try:  Keep one of them; until then commands/_middleware.js is used.
   *
   * @fix
   * - Move all files into one of the two folders.
   * - Rename one of them.
   * - Delete one of them.
   */
  E_FILE_CONFLICT: userErrorByKind<
    | { kind: 'folder'; used: string; ignored: string }
    | { kind: 'case'; paths: readonly [string, string] }
    | { kind: 'file'; what: string; files: readonly string[] }
  >({
    folder: ({ used, ignored }) => [
      `Both ${used}/ and ${ignored}/ hold files; only ${used}/ is read.`,
      `Move the files of ${ignored}/ into ${used}/, or the other way around.`,
    ],
    case: ({ paths }) => [
      `${paths[0]} and ${paths[1]} differ only in upper and lower case.`,
      'Rename one: macOS and Windows treat them as the same path.',
    ],
    file: ({ what, files }) => [
      `${numberOf(files.length)} files define ${what}: ${listOf(files)}.`,
      `Keep one of them; until then ${files[0] ?? 'the first'} is used.`,
    ],
  }),
});
