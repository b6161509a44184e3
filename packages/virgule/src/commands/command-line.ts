import { isVirguleError } from '@virgule/core/errors';
import { ProjectProblems } from '../project/project-problems.js';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Arguments } from '../terminal/arguments.js';
import type { CliCommand } from '../terminal/command.js';
import { COMMON_FLAGS, commandHelp, overview } from '../terminal/help.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import { version } from '../terminal/version.js';
import { CLI_COMMANDS } from './cli-commands.js';

const INTERRUPTED = 130;

/** Runs one command line, without the program's name, and resolves with the exit code: 0 done, 1 an error, 130 interrupted. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let failure = 1;
  try {
    return await dispatch(argv, io, (command) => (failure = command.failure ?? failure));
  } catch (error) {
    if (isInterrupt(error, io)) return INTERRUPTED;
    const problems = error instanceof ProjectProblems ? error.problems : [error];
    printProblems(problems, io);
    if (problems.length > 1) io.stderr.write(`${problems.length} problems. Nothing was started.\n`);
    return failure;
  }
}

async function dispatch(argv: readonly string[], io: Io, onCommand: (command: CliCommand) => void) {
  const [name, ...rest] = argv;
  const isGeneral = name === 'help' && (rest[0] === undefined || isHelp(rest[0]));
  if (name === undefined || isHelp(name) || isGeneral) {
    io.stdout.write(overview(Object.values(CLI_COMMANDS), version, io.columns));
    return 0;
  }
  if (['--version', '-v', '-V'].includes(name)) {
    io.stdout.write(`${version}\n`);
    return 0;
  }
  const { command, words } = await commandIn(name === 'help' ? rest : argv);
  onCommand(command);
  const flagsEnd = words.includes('--') ? words.indexOf('--') : words.length;
  if (name === 'help' || words.slice(0, flagsEnd).some(isHelp)) {
    io.stdout.write(await commandHelp(command, io.columns));
    return 0;
  }
  const isPlain = !words.some((word) => word.startsWith('-'));
  // The parser takes 5 ms to load, and a line without flags does not need it.
  const args: Arguments<typeof COMMON_FLAGS> = isPlain
    ? { flags: {}, words }
    : (await import('../terminal/arguments.js')).readArguments(command.name, words, {
        ...command.flags,
        ...COMMON_FLAGS,
      });
  if (command.words === '' && args.words.length > 0)
    throw (await invalid()).invalidWords(command.name, 'flags only', args.words);
  if ('json' in args.flags && args.flags.json === true) io.reserveStdout();
  if (command.endsAtSignals) io.endAtSignals();
  return command.run(args, await inFolder(args.flags.cwd, io));
}

/** Loads the errors of arguments, which correct ones do not need. */
const invalid = () => import('../terminal/invalid-arguments.js');

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Returns the typed command, and the words after its name. */
async function commandIn([name = '', ...words]: readonly string[]) {
  const command = Object.hasOwn(CLI_COMMANDS, name) ? CLI_COMMANDS[name] : undefined;
  if (command) {
    const [first = '', ...others] = words;
    const actions = (await command.actions?.()) ?? {};
    const action = Object.hasOwn(actions, first) ? actions[first] : undefined;
    return action ? { command: action, words: others } : { command, words };
  }
  throw (await invalid()).unknownCommand(name, Object.keys(CLI_COMMANDS));
}

/** Returns an `Io` with another current folder. */
async function inFolder(folder: string | undefined, io: Io): Promise<Io> {
  if (folder === undefined) return io;
  const cwd = resolve(io.cwd, folder);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw (await invalid()).invalidFlag('cwd', 'an existing folder', folder);
  // A prototype instead of a copy, because other properties change later, such as the width of a terminal.
  return Object.create(io, { cwd: { value: cwd } }) as Io;
}

/** Returns whether a command was interrupted, which is not reported as an error. */
const isInterrupt = (error: unknown, { interrupt }: Io): boolean =>
  interrupt.aborted && (error === interrupt.reason || isVirguleError(error, 'E_ABORTED'));
