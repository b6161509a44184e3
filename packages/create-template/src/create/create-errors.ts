import { defineErrors, userError } from '@virgule/core/errors';
import { listOf } from '@virgule/core/text';

/** Maximum number of names in a message. */
const MAX_NAMES = 10;

function listNames(names: readonly string[]): string {
  const hidden = names.length - MAX_NAMES;
  return hidden > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${hidden} more` : listOf(names);
}

/** The error codes of this package. */
export const createErrors = defineErrors({
  E_CREATE_FLAG_UNKNOWN: userError<{ flag: string; closest: string | undefined }>({
    message: ({ flag }) => `There is no flag ${flag}.`,
    hint: ({ closest }) =>
      `${closest === undefined ? '' : `Did you mean ${closest}? `}Run create-virgule --help to list all flags.`,
  }),
  E_CREATE_FLAG_VALUE: userError<{ flag: string; expected: string; saw: string }>({
    message: ({ flag, expected, saw }) => `${flag} takes ${expected}, got ${saw}.`,
    hint: 'Run create-virgule --help to list all flags.',
  }),
  E_CREATE_TOO_MANY_FOLDERS: userError<{ folders: readonly string[] }>({
    message: ({ folders }) =>
      `Only one folder can be created at a time, got ${folders.length}: ${folders.join(', ')}.`,
    hint: 'Put quotes around a folder name that contains spaces.',
  }),
  E_CREATE_TEMPLATE_UNKNOWN: userError<{ template: string; templates: readonly string[] }>({
    message: ({ template }) => `There is no template "${template}".`,
    hint: ({ templates }) => `Pass one of these with --template: ${templates.join(', ')}.`,
  }),
  E_CREATE_NAME: userError<{ folder: string }>({
    message: ({ folder }) => `The folder name "${folder}" cannot be converted to a package name.`,
    hint: 'Use a name with at least one letter from a to z or one digit, other than node_modules and favicon.ico.',
  }),
  E_CREATE_TARGET_IS_FILE: userError<{ folder: string }>({
    message: ({ folder }) => `${folder} is a file, not a folder.`,
    hint: 'Choose another folder name, or move the file.',
  }),
  E_CREATE_FOLDER_NOT_EMPTY: userError<{ folder: string; names: readonly string[] }>({
    message: ({ folder, names }) => `${folder} is not empty: it contains ${listNames(names)}.`,
    hint: 'Choose another folder, or pass --force=merge to write only files that do not exist yet.',
  }),
  E_CREATE_EMPTY_REFUSED: userError<{ folder: string }>({
    message: ({ folder }) =>
      `${folder} contains your home folder or the current folder, so it is not emptied.`,
    hint: 'Choose a separate folder for the bot.',
  }),
  E_CREATE_WRITE_FAILED: userError<{ folder: string; reason: string }>({
    message: ({ folder, reason }) => `The files could not be written to ${folder}: ${reason}.`,
    hint: 'Check the permissions of the folder and the free disk space, then try again.',
  }),
  E_CREATE_INSTALL_FAILED: userError<{ command: string; folder: string; next: string }>({
    message: ({ command, folder }) =>
      `"${command}" failed in ${folder}; the files of the bot are complete.`,
    hint: ({ next }) => `Run \`${next}\` to try again.`,
  }),
  E_CREATE_GIT_FAILED: userError<{ folder: string; next: string }>({
    message: ({ folder }) => `"git init" failed in ${folder}; the files of the bot are complete.`,
    hint: ({ next }) => `Check that git is installed, then run \`${next}\`.`,
  }),
});
