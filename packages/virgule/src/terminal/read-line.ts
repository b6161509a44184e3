import { didYouMean } from '@virgule/core/text';
import { cliErrors } from './cli-errors.js';

/**
 * Reads a command line of a user, whose slash may be omitted. Returns the line with its slash, and the name of its
 * command.
 *
 * @param known - names of the commands.
 * @throws VirguleError `E_COMMAND_UNKNOWN`, which suggests `/story-short` for `/story short`.
 */
export function readLine(line: string, known: readonly string[]) {
  const rawInput = line.startsWith('/') ? line : `/${line}`;
  const [name = '', ...words] = rawInput.slice(1).split(/\s+/);
  if (known.includes(name)) return { rawInput, name };
  // The user may have typed a command of a folder like a subcommand of another platform.
  const joined = words.map((_, index) => [name, ...words.slice(0, index + 1)].join('-'));
  const meant =
    joined.findLast((each) => known.includes(each)) ??
    didYouMean(name, known) ??
    joined.map((each) => didYouMean(each, known)).find((each) => each !== undefined);
  throw cliErrors.E_COMMAND_UNKNOWN({ name, known, meant });
}
