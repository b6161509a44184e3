import { defineErrors, userError } from '@virgule/core/errors';

/** At most this many names are written out in a message. */
const NAMES_SHOWN = 10;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `\n  ${name}`);
  const hidden = names.length - shown.length;
  return shown.join('') + (hidden > 0 ? `\n  and ${hidden} more` : '');
}

/** Everything that can go wrong while a bot is scaffolded. */
export const createErrors = defineErrors({
  E_CREATE_FLAG_UNKNOWN: userError<{ flag: string; closest: string | undefined }>({
    message: ({ flag }) => `There is no flag ${flag}.`,
    hint: ({ closest }) =>
      `${closest === undefined ? '' : `Did you mean ${closest}? `}See create-virgule --help.`,
  }),
  E_CREATE_FLAG_VALUE: userError<{ flag: string; expected: string; saw: string }>({
    message: ({ flag, expected, saw }) => `${flag} takes ${expected}, saw ${saw}.`,
    hint: () => 'See create-virgule --help.',
  }),
  E_CREATE_TOO_MANY_FOLDERS: userError<{ folders: readonly string[] }>({
    message: ({ folders }) =>
      `One folder is scaffolded at a time, saw ${folders.length}: ${folders.join(', ')}.`,
    hint: () => 'Put quotes around a folder name that has spaces in it.',
  }),
  E_CREATE_TEMPLATE_UNKNOWN: userError<{ template: string; templates: readonly string[] }>({
    message: ({ template, templates }) =>
      `There is no template "${template}". There are:${listNames(templates)}`,
    hint: ({ templates }) => `Pass one of them, such as --template ${templates[0] ?? 'basic'}.`,
  }),
  E_CREATE_NAME: userError<{ folder: string }>({
    message: ({ folder }) => `No package name can be made from the folder name "${folder}".`,
    hint: () => 'Use a name with at least one letter a to z or digit.',
  }),
  E_CREATE_TARGET_IS_FILE: userError<{ folder: string }>({
    message: ({ folder }) => `${folder} is a file, not a folder.`,
    hint: () => 'Choose another folder name, or move the file away.',
  }),
  E_CREATE_FOLDER_NOT_EMPTY: userError<{ folder: string; names: readonly string[] }>({
    message: ({ folder, names }) => `${folder} is not empty. In the way:${listNames(names)}`,
    hint: () =>
      'Choose another folder, or pass --force=merge to write only the files that do not exist yet.',
  }),
  E_CREATE_EMPTY_REFUSED: userError<{ folder: string }>({
    message: ({ folder }) =>
      `${folder} holds your home folder or the folder you are in, so it is not emptied.`,
    hint: () => 'Choose a folder of its own for the bot.',
  }),
  E_CREATE_WRITE_FAILED: userError<{ folder: string; reason: string }>({
    message: ({ folder, reason }) => `The files could not be written to ${folder}: ${reason}.`,
    hint: () =>
      'Check the permissions and the space of the disk. What was half written is removed.',
  }),
  E_CREATE_INSTALL_FAILED: userError<{ command: string; folder: string; next: string }>({
    message: ({ command, folder }) =>
      `"${command}" did not finish in ${folder}. The files of the bot are all there.`,
    hint: ({ next }) => `Run it again: ${next}`,
  }),
  E_CREATE_GIT_FAILED: userError<{ folder: string; next: string }>({
    message: ({ folder }) =>
      `"git init" did not finish in ${folder}. The files of the bot are all there.`,
    hint: ({ next }) => `Check that git is installed, then: ${next}`,
  }),
});
