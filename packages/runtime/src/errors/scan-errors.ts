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
  /**
   * The name of a file does not match a command, an event or a special file.
   *
   * A file path results in a command name that the platform rejects. The name of a command consists of its folders
   * and its file name. It can contain lower-case letters, digits, `-` and `_`, must start with a letter or digit,
   * and has at most 32 characters. `playNext.ts` becomes `play-next` automatically.
   *
   * A file in `events/` is not named after an event. The name of the file, or of its folder, determines which event
   * it handles. [All events](../guide/events.md).
   *
   * The name of a file resembles `_middleware` or `_error`, or a special file is in a folder where it has no effect.
   * Files whose names start with `_` are private, except `_middleware` and `_error`, in lower case. A misspelled guard
   * would silently have no effect, and so would `middleware.ts`, the name in Next.js, or `_middleware/index.ts`. The
   * commands in its folder and below are therefore not loaded until the file is renamed.
   *
   * A special file applies to its folder of commands or events and the folders below. A special file in the project's
   * root, in `src/` or among tasks has no effect; this is a warning.
   *
   * @example
   * Error [E_FILE_NAME] commands/über.ts makes the command /über, which contains "ü".
   *   at commands/über.ts
   * Try:  Rename the file or its folder: lower-case letters, digits, "-" and "_", starting with a letter or digit, at most 32 characters.
   *
   * Error [E_FILE_NAME] events/mesage-create.ts is named after "mesage-create", which is not an event.
   *   at events/mesage-create.ts
   * Try:  Did you mean message-create? Start a name with "_" to keep a file private.
   *
   * Error [E_FILE_NAME] commands/admin/_midleware.ts is not the name of a special file, so the other files of its folder are not loaded.
   *   at commands/admin/_midleware.ts
   * Try:  Did you mean _middleware.ts? Rename the file, or choose a name that does not resemble _middleware.ts.
   *
   * @fix
   * - Rename the file or its folder.
   * - If the file is not a command, prefix its name with `_`.
   * - Rename the file, or move it into a folder with the name of its event, such as
   *   `events/message-create/greeting.ts`.
   * - If the file does not handle an event, prefix its name with `_`.
   * - Rename a misspelled special file to the name in the hint.
   * - Move a special file without effect into `commands/` or `events/`.
   * - If the file is private, choose a name that does not resemble a special file, such as `_error-classes.ts`.
   */
  E_FILE_NAME: userErrorByKind<
    | { kind: 'command'; file: string; name: string; why: string }
    | {
        kind: 'event';
        file: string;
        name: string;
        meant?: string | undefined;
        known: readonly string[];
      }
    | { kind: 'special'; file: string; meant?: string | undefined }
  >({
    command: ({ file, name, why }) => [
      name === '' ? `${file} ${why}.` : `${file} makes the command /${name}, which ${why}.`,
      name === ''
        ? 'Name the file after its command, or move it into a folder.'
        : 'Rename the file or its folder: lower-case letters, digits, "-" and "_", starting with a letter or digit, at most 32 characters.',
    ],
    event: ({ file, name, meant, known }) => [
      `${file} is named after "${name}", which is not an event.`,
      meant === undefined
        ? `The events are ${known.join(', ')}. Name the file or its folder after one, such as events/message-create/greeting.ts; start a name with "_" to keep a file private.`
        : `Did you mean ${meant}? Start a name with "_" to keep a file private.`,
    ],
    special: ({ file, meant }) => [
      meant === undefined
        ? `${file} has no effect here: a special file applies to its folder of commands or events.`
        : `${file} is not the name of a special file, so the other files of its folder are not loaded.`,
      meant === undefined
        ? 'Move the file into a folder of commands or events, such as commands/.'
        : `Did you mean ${meant}? Rename the file, or choose a name that does not resemble ${meant}.`,
    ],
  }),
});
