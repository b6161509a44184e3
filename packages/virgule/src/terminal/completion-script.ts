import type { Flags } from './arguments.js';
import type { CliCommand } from './command.js';
import { COMMON_FLAGS } from './help.js';

/** Words that may follow a command, apart from flags. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  new: ['command', 'event', 'task'],
  task: ['list', 'run', 'cancel', 'retry'],
  storage: ['list', 'get', 'set', 'delete', 'export', 'import'],
  completion: ['bash'],
};

/** Returns the completion script of bash, which zsh reads too after `bashcompinit`. */
export async function completionScript(commands: readonly CliCommand[]): Promise<string> {
  const names = commands.map(({ name }) => name);
  const branches = commands.map(
    async (command) => `      ${command.name}) words="${await wordsAfter(command)}" ;;`,
  );
  return `${[
    '_virgule() {',
    '  local words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="help ${names.join(' ')}"`,
    '  else',
    '    case "${COMP_WORDS[1]}" in',
    `      help) words="${names.join(' ')}" ;;`,
    ...(await Promise.all(branches)),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _virgule virgule',
  ].join('\n')}\n`;
}

async function wordsAfter(command: CliCommand): Promise<string> {
  const actions = (await command.actions?.()) ?? {};
  const actionFlags: Flags[] = Object.values(actions).map((action) => action.flags);
  const flags: Flags = Object.assign({}, ...actionFlags, command.flags, COMMON_FLAGS);
  return [
    ...(WORDS[command.name] ?? Object.keys(actions)),
    ...[...Object.keys(flags), 'help'].map((flag) => `--${flag}`),
  ].join(' ');
}
