import type { Flags } from './arguments.js';
import type { CliCommand } from './command.js';
import { COMMON_FLAGS } from './help.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Words that may follow a command, apart from flags. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  new: ['command', 'event', 'task'],
  task: ['list', 'run', 'cancel', 'retry'],
  storage: ['list', 'get', 'set', 'delete', 'export', 'import'],
  completion: SHELLS,
};

/** Returns a script that completes the names of commands and their flags. */
export function completionScript(shell: Shell, commands: readonly CliCommand[]): string {
  const completed = commands.map(({ name, about, flags, actions = {} }) => ({
    name,
    about,
    flags: Object.entries({
      ...Object.assign({}, ...Object.values(actions).map((action) => action.flags)),
      ...flags,
      ...COMMON_FLAGS,
      help: HELP,
    } as Flags),
    words: WORDS[name] ?? Object.keys(actions),
  }));
  return { bash, zsh, fish }[shell](completed);
}

const HELP = { type: 'boolean', about: 'Show its flags' } as const;

interface Completed {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly (readonly [
    string,
    { readonly about: string; readonly type: string; readonly bare?: string },
  ])[];
  readonly words: readonly string[];
}

function bash(commands: readonly Completed[]): string {
  return [
    '_virgule() {',
    '  local words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="help ${commands.map(({ name }) => name).join(' ')}"`,
    '  else',
    '    case "${COMP_WORDS[1]}" in',
    `      help) words="${commands.map(({ name }) => name).join(' ')}" ;;`,
    ...commands.map(({ name, flags, words }) => {
      const all = [...words, ...flags.map(([flag]) => `--${flag}`)];
      return `      ${name}) words="${all.join(' ')}" ;;`;
    }),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _virgule virgule',
    '',
  ].join('\n');
}

function zsh(commands: readonly Completed[]): string {
  const described = (word: string, about: string): string =>
    quoted(`${word}:${about.replaceAll(':', String.raw`\:`)}`);
  const names = commands.map(({ name, about }) => described(name, about));
  return [
    '#compdef virgule',
    '_virgule() {',
    '  local -a found',
    '  if (( CURRENT == 2 )); then',
    `    found=(${names.join(' ')})`,
    '  else',
    '    case $words[2] in',
    `      help) found=(${names.join(' ')}) ;;`,
    ...commands.map(({ name, flags, words }) => {
      const all = [
        ...words.map((word) => quoted(word)),
        ...flags.map(([flag, { about }]) => described(`--${flag}`, about)),
      ];
      return `      ${name}) found=(${all.join(' ')}) ;;`;
    }),
    '    esac',
    '  fi',
    '  _describe virgule found || _files',
    '}',
    'compdef _virgule virgule',
    '',
  ].join('\n');
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, about, flags, words }) => {
    const after = `complete -c virgule -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c virgule -f -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...(words.length > 0 ? [`${after} -f -a '${words.join(' ')}'`] : []),
      ...flags.map(([flag, { about: text, type, bare }]) => {
        const isValueNeeded = type !== 'boolean' && type !== 'names' && bare === undefined;
        return `${after} -l ${flag}${isValueNeeded ? ' -r' : ''} -d ${quoted(text)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** Quotes a string as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
