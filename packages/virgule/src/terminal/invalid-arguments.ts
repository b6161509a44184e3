import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '@virgule/runtime/errors';

/** Creates the error for words that a command does not accept. `known` has its first words, for a suggestion. */
export const invalidWords = (
  command: string,
  want: string,
  saw: readonly string[],
  known: readonly string[] = [],
) => runtimeErrors.E_ARGUMENTS({ kind: 'words', command, want, saw, known });

/** Creates the error for a value that a flag does not accept. */
export const invalidFlag = (name: string, want: string, saw: string) =>
  runtimeErrors.E_ARGUMENTS({ kind: 'value', flag: `--${name}`, want, saw });

/** Creates the error for a command that does not exist. */
export const unknownCommand = (saw: string, known: readonly string[]) =>
  runtimeErrors.E_ARGUMENTS({ kind: 'command', saw, meant: didYouMean(saw, known) });
