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

interface Proposal {
  readonly word: string;
  readonly about?: string;
  readonly isValueNeeded?: boolean;
}

export async function completionScript(
  shell: Shell,
  commands: readonly CliCommand[],
): Promise<string> {
  const names: Proposal[] = commands.map(({ name, about }) => ({ word: name, about }));
  const first = [{ word: 'help', about: 'Show the flags of a command' }, ...names];
  const after = new Map([['help', names], ...(await Promise.all(commands.map(proposalsAfter)))]);
  return `${{ bash, zsh, fish }[shell](first, after).join('\n')}\n`;
}

async function proposalsAfter(command: CliCommand): Promise<[string, Proposal[]]> {
  const { name, flags } = command;
  const actions = (await command.actions?.()) ?? {};
  const actionFlags: Flags[] = Object.values(actions).map((action) => action.flags);
  const all: Flags = Object.assign({}, ...actionFlags, flags, COMMON_FLAGS, { help: HELP });
  return [
    name,
    [
      ...(WORDS[name] ?? Object.keys(actions)).map((word) => ({ word })),
      ...Object.entries(all).map(([flag, { about, type, bare }]) => ({
        word: `--${flag}`,
        about,
        isValueNeeded: type !== 'boolean' && type !== 'names' && bare === undefined,
      })),
    ],
  ];
}

const HELP = { type: 'boolean', about: 'Show its flags' } as const;

type Proposals = ReadonlyMap<string, readonly Proposal[]>;

/** Returns the branches of a `case` with the proposals for each command. */
const branches = (after: Proposals, propose: (found: readonly Proposal[]) => string): string[] =>
  Array.from(after, ([name, found]) => `      ${name}) ${propose(found)} ;;`);

function bash(first: readonly Proposal[], after: Proposals): string[] {
  const propose = (found: readonly Proposal[]): string =>
    `words="${found.map(({ word }) => word).join(' ')}"`;
  return [
    '_virgule() {',
    '  local words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    ${propose(first)}`,
    '  else',
    '    case "${COMP_WORDS[1]}" in',
    ...branches(after, propose),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _virgule virgule',
  ];
}

function zsh(first: readonly Proposal[], after: Proposals): string[] {
  const described = ({ word, about }: Proposal): string =>
    quoted(about === undefined ? word : `${word}:${about.replaceAll(':', String.raw`\:`)}`);
  const propose = (found: readonly Proposal[]): string =>
    `found=(${found.map(described).join(' ')})`;
  return [
    '#compdef virgule',
    '_virgule() {',
    '  local -a found',
    '  if (( CURRENT == 2 )); then',
    `    ${propose(first)}`,
    '  else',
    '    case $words[2] in',
    ...branches(after, propose),
    '    esac',
    '  fi',
    '  _describe virgule found || _files',
    '}',
    'compdef _virgule virgule',
  ];
}

function fish(first: readonly Proposal[], after: Proposals): string[] {
  const lineOf = (condition: string, { word, about, isValueNeeded }: Proposal): string => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
    const note = about === undefined ? '' : ` -d ${quoted(about)}`;
    return `complete -c virgule -n ${condition} ${what}${isValueNeeded ? ' -r' : ''}${note}`;
  };
  return [
    ...first.map((each) => lineOf('__fish_use_subcommand', each)),
    ...Array.from(after, ([name, found]) =>
      found.map((each) => lineOf(`'__fish_seen_subcommand_from ${name}'`, each)),
    ).flat(),
  ];
}

/** Quotes a string as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
