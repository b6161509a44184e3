import { parseArgs } from 'node:util';
import { LOG_LEVELS } from '../config/define-config.js';
import type { StartBotOptions } from '../bot/start-bot.js';
import { isOperation } from '../operate/operate.js';

/** A command that runs instead of the bot, such as `storage list`, with the words after its name. */
export type OperationArguments = NonNullable<ReturnType<typeof readStartArguments>['operation']>;

/** Reads the flags of a built bot. Others are for the bot's own code and are ignored. */
export function readStartArguments(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    // An unknown flag is no error, and a value may be missing or present against its type.
    strict: false,
    options: {
      check: { type: 'boolean' },
      help: { type: 'boolean' },
      mode: { type: 'string' },
      sync: { type: 'boolean' },
      'allow-delete': { type: 'boolean' },
      role: { type: 'string' },
      wait: { type: 'boolean' },
      preview: { type: 'boolean' },
      'health-port': { type: 'string' },
      'health-host': { type: 'string' },
      json: { type: 'boolean' },
      ttl: { type: 'string' },
    },
  });
  const allowed = values['allow-delete'];
  const [name, ...words] = positionals;
  const isSet = (name: string): boolean => values[name] !== undefined && values[name] !== false;
  const operation =
    // First: a word behind the flags is for the code of the bot.
    isOperation(name) && argv[0] === name
      ? { name, words, flags: { json: isSet('json'), ttl: textOf(values['ttl']) } }
      : undefined;
  return {
    check: isSet('check'),
    help: isSet('help'),
    mode: textOf(values['mode']) ?? 'production',
    sync: isSet('sync'),
    /** Whether `--sync` may delete: all commands, or those that are named. */
    allowDelete: typeof allowed === 'string' ? splitNames(allowed) : allowed === true,
    role: textOf(values['role']),
    wait: isSet('wait'),
    preview: isSet('preview'),
    health: { port: textOf(values['health-port']), host: textOf(values['health-host']) },
    operation,
  };
}

/** Returns the usage of a built bot. `declared`: the environment variables of its configuration. */
export function startUsage(declared: readonly string[]): string {
  const own = declared.map((name) => `  ${name}\n`).join('');
  return `Usage: node --enable-source-maps dist/bot.mjs [flags]
       node dist/bot.mjs COMMAND [--mode NAME] [--json]

Commands, which work with what the bot has stored, also while it runs
  storage list [PREFIX]   Print entries; also get KEY, set KEY JSON [--ttl TIME],
                          delete KEY, export [PREFIX] and import FILE
  task list [NAME]        Print the runs of tasks; also run NAME [JSON], cancel ID and retry ID
  dead list               With \`scale\`: print the events that were set aside; also show ID,
                          replay ID and drop ID

Flags
  --mode NAME             Read .env.NAME and use this target of the configuration (production)
  --check                 Load the files and exit: 0 if they have no problems
  --sync                  Register the commands first, without deleting any
  --allow-delete[=NAMES]  Let --sync delete commands without a file, or only these
  --role ROLE             With \`scale\`: gateway, worker or all (all)
  --wait                  With \`scale\`: wait for Redis if it cannot be reached
  --preview               For a simulator: one process, and a storage of its own
  --health-port N         Serve /healthz, /readyz and /metrics on this port
  --health-host ADDRESS   Serve them at this address instead of 127.0.0.1
  --help                  Print this and exit

Environment variables, also read from .env, .env.local, .env.<mode> and .env.<mode>.local
  BOT_TOKEN               The token of the bot
  BOT_BASE_URL            The URL to which /api/bot/v1 is appended
  BOT_GATEWAY_URL         The URL to which /gateway/bot is appended
  BOT_ROLE                As --role
  BOT_HEALTH_PORT         As --health-port
  BOT_HEALTH_HOST         As --health-host
  LOG_LEVEL               ${LOG_LEVELS.join(', ')} (info)
${own === '' ? '' : `\nOf this bot, by its configuration\n${own}`}`;
}

/** Returns what the flags ask of the registered commands. `isEmpty`: the bot has no command. */
export function syncOf(
  { sync, allowDelete }: Pick<ReturnType<typeof readStartArguments>, 'sync' | 'allowDelete'>,
  isEmpty: boolean,
): Pick<StartBotOptions, 'sync' | 'allowDelete'> {
  if (!sync) return { sync: 'check' };
  // A bot without commands, such as in the wrong folder, deletes none: `virgule deploy` asks for --allow-empty.
  if (allowDelete === true && !isEmpty) return { sync: 'apply-with-deletions' };
  return { sync: 'apply', allowDelete: Array.isArray(allowDelete) ? allowDelete : [] };
}

/** Returns the names of a list: `a` and `b` of `a, /b`. */
function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^\//, ''))
    .filter((name) => name !== '');
}

/** Returns the value of a flag. One without a value is an empty string, which is neither a port nor a host. */
const textOf = (value: string | boolean | undefined): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : '';
