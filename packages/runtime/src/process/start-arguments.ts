import { parseArgs } from 'node:util';
import { didYouMean, splitNames } from '@virgule/core/text';
import { LOG_LEVELS } from '../config/define-config.js';
import type { StartBotOptions } from '../bot/start-bot.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { isOperation, operations } from '../operate/operate.js';

/** A command that runs instead of the bot, such as `storage list`, with the words after its name. */
export type OperationArguments = NonNullable<ReturnType<typeof readStartArguments>['operation']>;

const PROGRAM = 'node dist/bot.mjs';

const OPTIONS = {
  check: { type: 'boolean' },
  help: { type: 'boolean' },
  mode: { type: 'string' },
  sync: { type: 'boolean' },
  'allow-delete': { type: 'boolean' },
  role: { type: 'string' },
  wait: { type: 'boolean' },
  preview: { type: 'boolean' },
  health: { type: 'string' },
  json: { type: 'boolean' },
  ttl: { type: 'string' },
} as const;

/**
 * Reads the flags of a built bot. Arguments after `--` are for the code of the bot.
 *
 * @throws VirguleError `E_ARGUMENTS` for an unknown flag, or an unknown command.
 */
export function readStartArguments(argv: readonly string[]) {
  // Not strict: a value may be missing or present against its type, and the error names the nearest flag.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : [...argv];
  const { values, positionals } = parseArgs({ args: own, strict: false, options: OPTIONS });
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown !== undefined) {
    const names = Object.keys(OPTIONS);
    const near = didYouMean(unknown, names) ?? names.find((name) => unknown.startsWith(`${name}-`));
    const flag = `${unknown.length === 1 ? '-' : '--'}${unknown}`;
    const meant = near && `--${near}`;
    throw runtimeErrors.E_ARGUMENTS({ kind: 'flag', program: PROGRAM, flag, meant });
  }
  const allowed = values['allow-delete'];
  const [name, ...words] = positionals;
  // A mistyped command must not start a second bot, which may take the connection of the first.
  if (name && !isOperation(name)) {
    const meant = didYouMean(name, Object.keys(operations));
    throw runtimeErrors.E_ARGUMENTS({ kind: 'command', program: PROGRAM, saw: name, meant });
  }
  const isSet = (name: string): boolean => values[name] !== undefined && values[name] !== false;
  const operation = isOperation(name)
    ? { name, words, flags: { json: isSet('json'), ttl: textOf(values['ttl']) } }
    : undefined;
  return {
    check: isSet('check'),
    help: isSet('help'),
    mode: textOf(values['mode']) ?? 'production',
    sync: isSet('sync'),
    /** Commands that `--sync` may delete: `true` for all, `false` for none, or a list of names. */
    allowDelete: typeof allowed === 'string' ? namesOf(allowed) : allowed === true,
    role: textOf(values['role']),
    wait: isSet('wait'),
    preview: isSet('preview'),
    health: textOf(values['health']),
    operation,
  };
}

/** Returns the usage of a built bot. `declared`: the environment variables of its configuration. */
export function startUsage(declared: readonly string[]): string {
  const own = declared.map((name) => `  ${name}\n`).join('');
  return `Usage: node dist/bot.mjs [flags]
       node dist/bot.mjs COMMAND [--mode NAME] [--json]

Commands, which work with the stored data of the bot, also while the bot runs
  storage list [PREFIX]   Print entries; also get KEY, set KEY JSON [--ttl TIME],
                          delete KEY, export [PREFIX] and import FILE
  task list [NAME]        Print the runs of tasks; also run NAME [JSON] and cancel ID
  failed list             Print what has failed; also show ID, retry ID, drop ID and
                          test ID, which prints the record for a test

Flags
  --mode NAME             Read .env.NAME and use this target of the configuration (production)
  --check                 Load the files and exit: 0 if they have no problems
  --sync                  Register the commands first, without deleting any
  --allow-delete[=NAMES]  Let --sync delete commands without a file, or only NAMES
  --role ROLE             With \`scale\`: gateway, worker or all (all)
  --wait                  With \`scale\`: wait for Redis if it cannot be reached
  --preview               For a simulator: one process, and a separate storage
  --health [HOST:]PORT    Serve /healthz, /readyz and /metrics there (HOST: 127.0.0.1)
  --help                  Print this help and exit

Environment variables, also read from .env, .env.local, .env.<mode> and .env.<mode>.local
  BOT_TOKEN               The token of the bot
  BOT_BASE_URL            The URL to which /api/bot/v1 is appended
  BOT_GATEWAY_URL         The URL to which /gateway/bot is appended
  BOT_ROLE                As --role
  BOT_HEALTH_PORT         As --health
  BOT_HEALTH_HOST         The host if --health names none
  LOG_LEVEL               ${LOG_LEVELS.join(', ')} (info)
${own === '' ? '' : `\nVariables in the configuration of this bot\n${own}`}`;
}

/** Returns the options for the registered commands from the flags. `isEmpty`: the bot has no command. */
export function syncOf(
  { sync, allowDelete }: Pick<ReturnType<typeof readStartArguments>, 'sync' | 'allowDelete'>,
  isEmpty: boolean,
): Pick<StartBotOptions, 'sync' | 'allowDelete'> {
  if (!sync) return { sync: 'check' };
  // A bot without commands, such as in the wrong folder, deletes none: `virgule deploy` asks for --allow-empty.
  if (allowDelete === true && !isEmpty) return { sync: 'apply-with-deletions' };
  return { sync: 'apply', allowDelete: Array.isArray(allowDelete) ? allowDelete : [] };
}

/** Returns the names in a list. An empty list is refused: in a script, the variable of the names may be unset. */
function namesOf(text: string): string[] {
  const names = splitNames(text);
  if (names.length > 0) return names;
  const want = 'names, as in --allow-delete=old,older';
  throw runtimeErrors.E_ARGUMENTS({ kind: 'value', flag: '--allow-delete', want, saw: text });
}

/** Returns the value of a flag. A flag without a value is an empty string, which is no port. */
const textOf = (value: string | boolean | undefined): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : '';
