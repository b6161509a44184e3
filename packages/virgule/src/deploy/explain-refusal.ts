import { isApiRefused } from '@virgule/client/rest';
import { cliErrors } from '../terminal/cli-errors.js';
import type { LocalCommands } from './local-commands.js';

/** `commands[2].options[0].type`, and `commands.2.options.0.type`. How a field is written is not stated. */
const FIELD = /commands[.[](\d+)\]?(?:[.[]options[.[](\d+)\]?)?(?:\.(\w+))?/;

/**
 * Turns the platform's refusal of the whole set into an error that names the command, its file and its
 * line. What is not such a refusal stays as it is.
 */
export function explainRefusal(error: unknown, local: LocalCommands, sent: readonly string[]) {
  if (!isApiRefused(error) || error.details.status === 403) return error;
  const { field = '', apiMessage } = error.details;
  const [, command, option, key] = FIELD.exec(field) ?? [];
  const name = command === undefined ? namedIn(apiMessage, sent) : sent[Number(command)];
  if (name === undefined) return error;
  const item = local.items.find((candidate) => candidate.name === name);
  const optionName = option === undefined ? undefined : item?.options[Number(option)]?.name;
  return cliErrors.E_COMMAND_REFUSED(
    { name, option: optionName, reason: apiMessage || error.message },
    {
      cause: error,
      location: local.locate(name, optionName ?? (key === 'name' ? undefined : key)),
    },
  );
}

/** Returns the only command that a message names as a word of its own. */
function namedIn(message: string, names: readonly string[]): string | undefined {
  const words = new Set(message.split(/[^\w-]+/));
  const named = names.filter((name) => words.has(name));
  return named.length === 1 ? named[0] : undefined;
}
